import type { Command } from 'commander';
import { positive } from '../input/positive.js';
import type { Io } from '../io.js';
import type { RunRequest } from '../running/run-machine.js';
import type { GlobalOptions } from './global-options.js';

type RunOptions = GlobalOptions & Omit<RunRequest, 'file'>;

export function addRun(program: Command, io: Io): void {
  program
    .command('run')
    .description(
      'run a machine: its proposers are asked, its arbiter decides, until it is at rest or needs a person',
    )
    .argument('<machine.json>', 'the machine, with the specialists it declares')
    .option('--meta <json>', 'what the session is about, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .option('--max-steps <n>', 'transitions at most', positive, 100)
    .action(async (file: string, _options: unknown, command: Command) => {
      const { runMachine } = await import('../running/run-machine.js');
      await runMachine({ file, ...command.optsWithGlobals<RunOptions>() }, io);
    });
}
