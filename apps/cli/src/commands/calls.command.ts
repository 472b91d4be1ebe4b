import type { Command } from 'commander';
import { RejectionError } from '#lib/engine';
import { getLlmCall, getSession, listLlmCallsOfSession, withBodies } from '#lib/projections';
import { sessionRejections } from '#lib/session';
import { askRows } from '../engine/ask-rows.js';
import { everyItem } from '../engine/every-item.js';
import { callPageLines } from '../format/call-page-lines.js';
import { llmCallLines } from '../format/llm-call-lines.js';
import { paintFor } from '../format/paint.js';
import { printResult } from '../format/print-result.js';
import { callIdOf, ID_HELP, sessionIdOf, unknownCall } from '../input/named-id.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addCalls(program: Command, io: Io): void {
  program
    .command('calls')
    .description('list the calls to models of a session, oldest first')
    .argument('<session>', ID_HELP)
    .action(async (session: string, _options: unknown, command: Command) => {
      const { dataDir, json } = command.optsWithGlobals<GlobalOptions>();
      const sessionId = await sessionIdOf(session, dataDir);
      const items = await askRows(dataDir, ['sessions', 'llm_calls'], async (db, log) => {
        if (!(await getSession(db, sessionId)))
          throw new RejectionError(sessionRejections.unknownSession(sessionId));
        const calls = await everyItem((page) => listLlmCallsOfSession(db, sessionId, page));
        return withBodies(log, calls);
      });
      printResult(io, json, { items }, () => (items.length === 0 ? ['No calls.'] : llmCallLines(items)));
    });
}

export function addShow(program: Command, io: Io): void {
  program
    .command('show')
    .description('show one call to a model: messages, tools, reply, usage, and what was concluded from it')
    .argument('<call>', ID_HELP)
    .action(async (named: string, _options: unknown, command: Command) => {
      const { dataDir, json } = command.optsWithGlobals<GlobalOptions>();
      const callId = await callIdOf(named, dataDir);
      const [call] = await askRows(dataDir, ['llm_calls'], async (db, log) => {
        const found = await getLlmCall(db, callId);
        return withBodies(log, found ? [found] : []);
      });
      if (!call) throw new RejectionError(unknownCall(callId));
      printResult(io, json, call, () => callPageLines(call, paintFor(io.out)));
    });
}
