import type { Command } from 'commander';
import type { ProjectionStatus } from '#lib/projections';
import { settingsFor } from '../engine/settings-for.js';
import { withReadModels } from '../engine/with-read-models.js';
import { InvalidInput } from '../errors.js';
import { projectionLines } from '../format/projection-lines.js';
import { type Io, printLines } from '../io.js';
import { projectionStatuses } from '../projecting/projection-statuses.js';
import { rebuildProjections } from '../projecting/rebuild-projections.js';
import type { GlobalOptions } from './global-options.js';

type RebuildOptions = GlobalOptions & { readonly all?: true };

export function addProjections(program: Command, io: Io): void {
  const group = program
    .command('projections')
    .description('the read models: how far they are, and filling them again');
  group
    .command('list')
    .description('how far each projection is, and what stops it')
    .action(async (_options: unknown, command: Command) => {
      const { dataDir, json } = command.optsWithGlobals<GlobalOptions>();
      print(await withReadModels(settingsFor(dataDir), projectionStatuses), json, io);
    });
  group
    .command('rebuild')
    .description('empty a projection and fill it again from the log; done when it is')
    .argument('[name]')
    .option('--all', 'every projection')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const { dataDir, json, all } = command.optsWithGlobals<RebuildOptions>();
      const names = all && name === undefined ? 'all' : nameOrNothing(name, all);
      print(
        await withReadModels(settingsFor(dataDir), (models) => rebuildProjections(models, names)),
        json,
        io,
      );
    });
}

function nameOrNothing(name: string | undefined, all: true | undefined): readonly string[] {
  if (name !== undefined && !all) return [name];
  throw new InvalidInput('redial projections rebuild', 'it takes one name or --all', 'Give a name, or --all');
}

function print(items: readonly ProjectionStatus[], json: true | undefined, { out }: Io): void {
  if (json) out.write(`${JSON.stringify({ items })}\n`);
  else printLines(out, projectionLines(items));
}
