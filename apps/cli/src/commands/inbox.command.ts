import type { Command } from 'commander';
import { askRows } from '../engine/ask-rows.js';
import { printResult } from '../format/print-result.js';
import { waitingLines } from '../format/waiting-lines.js';
import type { Io } from '../io.js';
import { WAITING_ROWS, waitingSessions } from '../waiting/waiting-session.js';
import type { GlobalOptions } from './global-options.js';

interface InboxOptions extends GlobalOptions {
  readonly machine?: string;
}

export function addInbox(program: Command, io: Io): void {
  program
    .command('inbox')
    .description('the sessions that wait for a person, oldest first: why, what was proposed, how to decide')
    .option('--machine <name>', 'of this machine alone')
    .action(async (_options: unknown, command: Command) => {
      const { dataDir, json, machine } = command.optsWithGlobals<InboxOptions>();
      const filter = machine === undefined ? {} : { machineName: machine };
      const items = await askRows(dataDir, WAITING_ROWS, (db) => waitingSessions(db, filter));
      printResult(io, json, { items }, (_result, paint) => {
        if (items.length === 0) return ['nobody is waited for'];
        return items.flatMap((item, index) => [
          ...(index === 0 ? [] : ['']),
          ...waitingLines(item, paint, dataDir),
        ]);
      });
    });
}
