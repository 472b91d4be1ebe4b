import { type ProjectionStatus, ProjectionBehind } from '#lib/projections';
import { settingsFor } from '../engine/settings-for.js';
import { withReadModels, type ReadModels } from '../engine/with-read-models.js';
import { InvalidInput } from '../error-classes.js';
import { type Io, printLines } from '../io.js';
import { rebuildProjections } from '../projecting/rebuild-projections.js';
import type { GlobalOptions, RebuildOptions } from './hand-written-commands.js';
import { oneLine } from '../format/one-line.js';
import { table } from '../format/table.js';

const columns = [
  { title: 'projection' },
  { title: 'version', align: 'right' },
  { title: 'status' },
  { title: 'lag', align: 'right' },
  { title: 'error' },
] as const;

/** How far each projection is. */
function projectionLines(statuses: readonly ProjectionStatus[]): readonly string[] {
  const rows = statuses.map(({ name, version, status, lag, error }) => [
    name,
    String(version),
    status,
    lag === null ? '?' : String(lag),
    oneLine(error?.message ?? '', 120),
  ]);
  return table(columns, rows);
}

/** Milliseconds in which a stopped projection reports its error. */
const LOOK_MS = 2000;

/** The status of each projection, after a short time to catch up: only applying an event shows whether it fails. */
async function projectionStatuses({ projections }: ReadModels): Promise<readonly ProjectionStatus[]> {
  await projections.caughtUpWithHead(LOOK_MS).catch((error: unknown) => {
    if (!(error instanceof ProjectionBehind)) throw error;
  });
  return projections.status();
}

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
