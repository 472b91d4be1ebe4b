import { availableParallelism } from 'node:os';
import { type EngineSettings, type LogReplayReport, rangesOf, verifyLog } from '#lib/engine/core';
import { withHistory } from '../engine/with-history.js';
import { momentOf } from '../engine/moment-of.js';
import { withLog } from '../engine/with-log.js';
import { diverges, InvalidInput } from '../error-classes.js';
import { namedReplayLines, replayLines } from '../format/replay-lines.js';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, paintFor, printJson, printLines, printResult } from '../io.js';
import type { ReplaySource } from '../replaying/replay-messages.js';
import { replaySettings } from '../replaying/replay-settings.js';
import { startReplayWorker } from '../replaying/replay-thread.js';
import { verifyInThreads } from '../replaying/replay-threads.js';
import type { EventLog } from '#lib/event-store';
import { verifyConversation } from '#lib/flows/core';
import { verifyHistory } from '#lib/histories/core';
import { RejectionError } from '#lib/operations/core';
import { verifySession } from '#lib/decisions/driving/core';
import { sessionRejections } from '#lib/decisions/session';

type ReplayOptions = GlobalOptions &
  ReplaySource & { readonly all?: true; readonly at?: string; readonly jobs?: number };

export async function replay(options: ReplayOptions, io: Io, named?: string): Promise<void> {
  const { dataDir, all, at, json } = options;
  checkTogether(options, named);
  const settings = await replaySettings(options);
  if (named !== undefined && isHistoryFile(named)) return replayFile(named, json, settings, io, at);
  const id = named === undefined ? undefined : await sessionIdOf(named, { dataDir });
  let replayed = 0;
  let diverging = 0;
  await withLog(settings, async (now) => {
    const log = id === undefined || at === undefined ? now : (await momentOf(now, id, at)).log;
    const reports = id === undefined ? replayAll(log, settings, options) : replayOne(log, id, settings);
    for await (const report of reports) {
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

/** @throws InvalidInput for options that exclude one another */
function checkTogether({ all, at, jobs }: ReplayOptions, named: string | undefined): void {
  const refuse = (option: string, why: string, fix: string): never => {
    throw new InvalidInput(`redial replay${option}`, why, fix);
  };
  if ((named === undefined) === (all === undefined))
    refuse('', 'it takes one id or --all', 'Give the id of a session or of a conversation, or --all');
  if (all && at !== undefined)
    refuse(' --at', 'a moment is of one stream', 'Name a session or a conversation');
  if (!all && jobs !== undefined)
    refuse(' --jobs', 'one history is verified in one thread', 'Leave it out, or give --all');
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

/** In the order the histories were created, whatever number of threads verifies them. */
function replayAll(
  log: EventLog,
  { workflows }: EngineSettings,
  { jobs = 1, dataDir, import: module }: ReplayOptions,
): AsyncGenerator<LogReplayReport> {
  const threads = Math.min(jobs, availableParallelism());
  if (threads === 1) return verifyLog(log, workflows);
  const source = {
    ...(dataDir !== undefined && { dataDir }),
    ...(module !== undefined && { import: module }),
  };
  return verifyInThreads(rangesOf(log), threads, () => startReplayWorker(source));
}

/** @throws RejectionError when there is no session and no conversation with this id */
async function* replayOne(
  log: EventLog,
  id: string,
  { workflows }: EngineSettings,
): AsyncGenerator<LogReplayReport> {
  const report = (await verifySession(log, id, workflows)) ?? (await verifyConversation(log, id));
  if (!report) throw new RejectionError(sessionRejections.unknownSession(id));
  yield report;
}
