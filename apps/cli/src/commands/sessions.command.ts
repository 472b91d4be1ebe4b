import { type Command, Option } from 'commander';
import { listSessions } from '#lib/projections';
import type { SessionStatus } from '#lib/session';
import { askRows } from '../engine/ask-rows.js';
import { everyItem } from '../engine/every-item.js';
import { printResult } from '../format/print-result.js';
import { sessionTable } from '../format/session-lines.js';
import { positive } from '../input/positive.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

const STATUSES: readonly SessionStatus[] = ['open', 'needs_human', 'done'];

interface SessionsOptions extends GlobalOptions {
  readonly machine?: string;
  readonly state?: string;
  readonly status?: SessionStatus;
  readonly limit: number;
}

export function addSessions(program: Command, io: Io): void {
  program
    .command('sessions')
    .description('the sessions, newest first')
    .option('--machine <name>', 'of this machine alone')
    .option('--state <name>', 'in this state alone')
    .addOption(new Option('--status <status>', 'of this status alone').choices(STATUSES))
    .option('--limit <n>', 'sessions at most', positive, 50)
    .action(async (_options: unknown, command: Command) => {
      const { dataDir, json, machine, state, status, limit } = command.optsWithGlobals<SessionsOptions>();
      const filter = {
        ...(machine !== undefined && { machineName: machine }),
        ...(state !== undefined && { currentState: state }),
        ...(status && { status }),
      };
      const items = await askRows(dataDir, ['sessions'], (db) =>
        everyItem((page) => listSessions(db, filter, page), limit),
      );
      printResult(io, json, { items }, () => sessionTable(items));
    });
}
