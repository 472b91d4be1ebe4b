import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export interface CopyOptions extends GlobalOptions {
  readonly to: string;
  readonly from?: string;
  readonly verifyOnly?: boolean;
}

export function addLog(program: Command, io: Io): void {
  const group = program.command('log').description('the event log itself: moving it, and who may run it');
  group
    .command('copy')
    .description('copy the log to another engine and verify the copy; run it again after an interruption')
    .requiredOption('--to <log>', 'URL of an EventStoreDB, or path of a SQLite file')
    .option('--from <log>', 'the same; default: the log that the settings name')
    .option('--verify-only', 'copy nothing, only compare')
    .action(async (_options: unknown, command: Command) => {
      const { copy } = await import('./log.js');
      await copy(command.optsWithGlobals<CopyOptions>(), io);
    });
  group
    .command('check')
    .description('look through the whole log file for damage; nothing is written')
    .action(async (_options: unknown, command: Command) => {
      const { check } = await import('./log.js');
      await check(command.optsWithGlobals<GlobalOptions>(), io);
    });
  group
    .command('claim')
    .description(
      'bind the log in EventStoreDB to the read store of these settings; stop what runs on another one first',
    )
    .action(async (_options: unknown, command: Command) => {
      const { claim } = await import('./log.js');
      await claim(command.optsWithGlobals<GlobalOptions>(), io);
    });
}
