import { type EngineSettings, type LogReplayReport, verifyLog } from '#lib/engine/core';
import { withHistory } from '../engine/with-history.js';
import { settingsFor, withLog } from '../engine/with-log.js';
import { diverges, InvalidInput } from '../error-classes.js';
import { namedReplayLines, replayLines } from '../format/replay-lines.js';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, paintFor, printJson, printLines, printResult } from '../io.js';
import type { EventLog } from '#lib/event-store';
import { verifyConversation } from '#lib/flows/core';
import { verifyHistory } from '#lib/histories/core';
import { RejectionError } from '#lib/operations/core';
import { verifySession } from '#lib/decisions/driving/core';
import { sessionRejections } from '#lib/decisions/session';
import type { WorkflowRegistry } from '#lib/workflow';

type ReplayOptions = GlobalOptions & { readonly all?: true };

export async function replay({ dataDir, all, json }: ReplayOptions, io: Io, named?: string): Promise<void> {
  if ((named === undefined) === (all === undefined)) {
    const fix = 'Give the id of a session or of a conversation, or --all';
    throw new InvalidInput('redial replay', 'it takes one id or --all', fix);
  }
  if (named !== undefined && isHistoryFile(named)) return replayFile(named, json, settingsFor(dataDir), io);
  const id = named === undefined ? undefined : await sessionIdOf(named, { dataDir });
  let replayed = 0;
  let diverging = 0;
  const settings = settingsFor(dataDir);
  await withLog(settings, async (log) => {
    for await (const report of replayHistories(log, id, settings.workflows)) {
      replayed += 1;
      if (!report.identical) diverging += 1;
      if (json) printJson(io, report);
      else {
        const linesOf = all ? namedReplayLines : replayLines;
        printLines(io.out, linesOf(report, paintFor(io.out)));
      }
    }
  });
  if (diverging > 0) throw diverges(diverging, replayed);
}

async function replayFile(
  file: string,
  json: true | undefined,
  { workflows }: EngineSettings,
  io: Io,
): Promise<void> {
  const report = await withHistory(file, (history) => verifyHistory(history, workflows));
  printResult(io, json, report, replayLines);
  if (!report.identical) throw diverges(1, 1);
}

/**
 * Replays the session or the conversation with this id, or all of the log in the order they were created.
 * @throws RejectionError when there is neither
 */
async function* replayHistories(
  log: EventLog,
  id: string | undefined,
  workflows: WorkflowRegistry,
): AsyncGenerator<LogReplayReport> {
  if (id === undefined) return yield* verifyLog(log, workflows);
  const report = (await verifySession(log, id, workflows)) ?? (await verifyConversation(log, id));
  if (!report) throw new RejectionError(sessionRejections.unknownSession(id));
  yield report;
}
