import type { Command } from 'commander';
import { ID_HELP } from '../input/id-help.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export type InspectOptions = GlobalOptions & { readonly all?: boolean };

export function addInspect(program: Command, io: Io): void {
  program
    .command('inspect')
    .description(
      'show a session: where it stands, its history, proposals, calls to models, and what happened; or a conversation with its turns',
    )
    .argument('<id>', `of a session: ${ID_HELP}; of a conversation: its id`)
    .option('--all', 'every event of every round; without it decided rounds but the newest are a line each')
    .action(async (named: string, _options: unknown, command: Command) => {
      const { inspect } = await import('./inspect.js');
      await inspect(named, command.optsWithGlobals<InspectOptions>(), io);
    });
}
