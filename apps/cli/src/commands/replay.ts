import { type EngineSettings, type LogReplayReport, verifyLog } from '#lib/engine/core';
import { withHistory } from '../engine/with-history.js';
import { momentOf } from '../engine/moment-of.js';
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

type ReplayOptions = GlobalOptions & { readonly all?: true; readonly at?: string };

export async function replay(
  { dataDir, all, at, json }: ReplayOptions,
  io: Io,
  named?: string,
): Promise<void> {
  if ((named === undefined) === (all === undefined)) {
    const fix = 'Give the id of a session or of a conversation, or --all';
    throw new InvalidInput('redial replay', 'it takes one id or --all', fix);
  }
  if (all && at !== undefined)
    throw new InvalidInput(
      'redial replay --at',
      'a moment is of one stream',
      'Name a session or a conversation',
    );
  if (named !== undefined && isHistoryFile(named))
    return replayFile(named, json, settingsFor(dataDir), io, at);
  const id = named === undefined ? undefined : await sessionIdOf(named, { dataDir });
  let replayed = 0;
  let diverging = 0;
  const settings = settingsFor(dataDir);
  await withLog(settings, async (now) => {
    const log = id === undefined || at === undefined ? now : (await momentOf(now, id, at)).log;
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
  at: string | undefined,
): Promise<void> {
  const report = await withHistory(file, async (history) => {
    if (at === undefined) return verifyHistory(history, workflows);
    const category = history.log.streams.parse(history.stream)?.category;
    const { log } = await momentOf(history.log, history.head.root.id, at, category);
    return verifyHistory({ ...history, log }, workflows);
  });
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
