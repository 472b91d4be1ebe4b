import type { Command } from 'commander';
import { ID_HELP } from '../input/id-help.js';
import { positive } from '../input/positive.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export interface DriveOptions extends GlobalOptions {
  readonly maxTicks: number;
}

export function addDrive(program: Command, io: Io): void {
  program
    .command('drive')
    .description('go on with a session until it is at rest or needs a person')
    .argument('<session>', ID_HELP)
    .option('--max-ticks <n>', 'steps at most; see tick', positive, 1000)
    .action(async (session: string, _options: unknown, command: Command) => {
      const { drive } = await import('./drive.js');
      await drive(session, command.optsWithGlobals<DriveOptions>(), io);
    });
}
