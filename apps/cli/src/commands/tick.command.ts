import type { Command } from 'commander';
import { ID_HELP } from '../input/id-help.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addTick(program: Command, io: Io): void {
  program
    .command('tick')
    .description(
      'take one step: ask a proposer, have the round decided, or find that a person is needed; in every session, or in one',
    )
    .argument('[session]', ID_HELP)
    .action(async (session: string | undefined, _options: unknown, command: Command) => {
      const { tick } = await import('./tick.js');
      await tick(session, command.optsWithGlobals<GlobalOptions>(), io);
    });
}
