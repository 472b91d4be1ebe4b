import type { ProjectionStatus } from '#lib/projections';
import { settingsFor } from '../engine/settings-for.js';
import { withReadModels } from '../engine/with-read-models.js';
import { InvalidInput } from '../errors.js';
import { projectionLines } from '../format/projection-lines.js';
import { type Io, printLines } from '../io.js';
import { projectionStatuses } from '../projecting/projection-statuses.js';
import { rebuildProjections } from '../projecting/rebuild-projections.js';
import type { GlobalOptions } from './global-options.js';
import type { RebuildOptions } from './projections.command.js';

export async function list({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  print(await withReadModels(settingsFor(dataDir), projectionStatuses), json, io);
}

export async function rebuild(name: string | undefined, options: RebuildOptions, io: Io): Promise<void> {
  const { dataDir, json, all } = options;
  const names = all && name === undefined ? 'all' : nameOrNothing(name, all);
  const statuses = await withReadModels(settingsFor(dataDir), (models) => rebuildProjections(models, names));
  print(statuses, json, io);
}

function nameOrNothing(name: string | undefined, all: true | undefined): readonly string[] {
  if (name !== undefined && !all) return [name];
  throw new InvalidInput('redial projections rebuild', 'it takes one name or --all', 'Give a name, or --all');
}

function print(items: readonly ProjectionStatus[], json: true | undefined, { out }: Io): void {
  if (json) out.write(`${JSON.stringify({ items })}\n`);
  else printLines(out, projectionLines(items));
}
