import type { Command } from 'commander';
import { ID_HELP } from '../input/id-help.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export type ReplayOptions = GlobalOptions & { readonly all?: true };

export function addReplay(program: Command, io: Io): void {
  program
    .command('replay')
    .description(
      'derive a recorded session or conversation again from the log alone, and compare event by event',
    )
    .argument('[id]', `of a session: ${ID_HELP}; of a conversation: its id`)
    .option('--all', 'every session and conversation of the log')
    .action(async (session: string | undefined, _options: unknown, command: Command) => {
      const { replay } = await import('./replay.js');
      await replay(session, command.optsWithGlobals<ReplayOptions>(), io);
    });
}
