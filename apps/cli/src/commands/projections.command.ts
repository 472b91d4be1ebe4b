import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export type RebuildOptions = GlobalOptions & { readonly all?: true };

export function addProjections(program: Command, io: Io): void {
  const group = program
    .command('projections')
    .description('the read models: how far they are, and filling them again');
  group
    .command('list')
    .description('how far each projection is, and what stops it')
    .action(async (_options: unknown, command: Command) => {
      const { list } = await import('./projections.js');
      await list(command.optsWithGlobals<GlobalOptions>(), io);
    });
  group
    .command('rebuild')
    .description('empty a projection and fill it again from the log; done when it is')
    .argument('[name]')
    .option('--all', 'every projection')
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const { rebuild } = await import('./projections.js');
      await rebuild(name, command.optsWithGlobals<RebuildOptions>(), io);
    });
}
