import { type Command, Option } from 'commander';
import { type DecidedHow, listDecisions } from '#lib/projections';
import { askAboutMachine } from '../engine/ask-rows.js';
import { everyItem } from '../engine/every-item.js';
import { decisionLines } from '../format/decision-lines.js';
import { printResult } from '../format/print-result.js';
import { positive } from '../input/positive.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

const HOW: readonly DecidedHow[] = ['consensus', 'override', 'operator'];

interface DecisionsOptions extends GlobalOptions {
  readonly session?: string;
  readonly how?: DecidedHow;
  readonly limit: number;
}

export function addDecisions(program: Command, io: Io): void {
  program
    .command('decisions')
    .description('what was decided, newest first: how, by whom, and what was proposed')
    .argument('<machine>', 'its name; of a gate, the name of the gate')
    .option('--session <id>', `in this session alone: ${ID_HELP}`)
    .addOption(new Option('--how <how>', 'by an arbiter, by a person, or by an operator').choices(HOW))
    .option('--limit <n>', 'decisions at most', positive, 50)
    .action(async (machineName: string, _options: unknown, command: Command) => {
      const { dataDir, json, session, how, limit } = command.optsWithGlobals<DecisionsOptions>();
      const sessionId = session === undefined ? {} : { sessionId: await sessionIdOf(session, dataDir) };
      const filter = { machineName, ...sessionId, ...(how && { how }) };
      const items = await askAboutMachine(dataDir, machineName, ['decisions'], (db) =>
        everyItem((page) => listDecisions(db, filter, page), limit),
      );
      printResult(io, json, { items }, () => decisionLines(items));
    });
}
