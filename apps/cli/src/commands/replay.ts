import { present } from '#lib/kernel';
import { availableParallelism } from 'node:os';
import { type EngineSettings, type LogReplayReport, rangesOf, verifyLog } from '#lib/engine/core';
import { withHistory } from '../engine/with-history.js';
import { rootIn } from '../engine/with-root.js';
import { settingsFor, withLog } from '../engine/with-log.js';
import { diverges, InvalidInput } from '../error-classes.js';
import { namedReplayLines, replayLines } from '../format/replay-lines.js';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, paintFor, printJson, printLines, printResult } from '../io.js';
import { rootAtAppend } from '../replaying/at-append.js';
import type { ReplaySource } from '../replaying/replay-messages.js';
import { startReplayWorker } from '../replaying/replay-thread.js';
import { verifyInThreads } from '../replaying/replay-threads.js';
import type { EventLog } from '#lib/event-store';
import {
  type HistoryReport,
  type OpenedHistory,
  refuseUnknownRoot,
  verifyHistory,
  verifyRoot,
} from '#lib/histories/core';

type ReplayOptions = GlobalOptions &
  ReplaySource & { readonly all?: true; readonly at?: string; readonly jobs?: number };

export async function replay(options: ReplayOptions, io: Io, named?: string): Promise<void> {
  checkTogether(options, named);
  const settings = settingsFor(options.dataDir);
  if (named === undefined) return replayAll(settings, options, io);
  const report = await (isHistoryFile(named) ? replayFile : replayNamed)(named, settings, options);
  printResult(io, options.json, report, replayLines);
  if (!report.identical) throw diverges(1, 1);
}

async function replayAll(settings: EngineSettings, options: ReplayOptions, io: Io): Promise<void> {
  let replayed = 0;
  let diverging = 0;
  await withLog(settings, async (log) => {
    for await (const report of everyReport(log, settings, options)) {
      replayed += 1;
      if (!report.identical) diverging += 1;
      if (options.json) printJson(io, report);
      else printLines(io.out, namedReplayLines(report, paintFor(io.out)));
    }
  });
  if (diverging > 0) throw diverges(diverging, replayed);
}

/** @throws InvalidInput for options that exclude one another */
function checkTogether({ all, at, jobs }: ReplayOptions, named: string | undefined): void {
  const conflict = (option: string, why: string, fix: string): never => {
    throw new InvalidInput(`redial replay${option}`, why, fix);
  };
  if ((named === undefined) === (all === undefined))
    conflict('', 'it takes one id or --all', 'Give the id of a session, a run or a conversation, or --all');
  if (all && at !== undefined)
    conflict(' --at', 'a moment is of one stream', 'Name a session, a run or a conversation');
  if (!all && jobs !== undefined)
    conflict(' --jobs', 'one history is verified in one thread', 'Leave it out, or give --all');
}

function replayFile(
  file: string,
  { workflows }: EngineSettings,
  { at }: ReplayOptions,
): Promise<HistoryReport> {
  return withHistory(file, async (history) => {
    refuseMissingWorkflow(file, history, workflows);
    const { log } = await rootAtAppend({ ...history, root: history.head.root }, at);
    return verifyHistory({ ...history, log }, workflows);
  });
}

/** Without its rules no event of a run would be derived. @throws InvalidInput */
function refuseMissingWorkflow(
  file: string,
  { head: { root, redaction }, log, stream }: OpenedHistory,
  workflows: EngineSettings['workflows'],
): void {
  const { category = '' } = log.streams.parse(stream) ?? {};
  if (root.kind !== 'run' || redaction !== 'none' || workflows.named(category)) return;
  const why = `it is of a run of the workflow ${category}, which this process does not have`;
  throw new InvalidInput(`the history file ${file}`, why, 'Give the module that registers it with --import');
}

/** @throws RejectionError when there is no session, run or conversation with this id, or not at this moment */
async function replayNamed(
  named: string,
  settings: EngineSettings,
  { dataDir, at }: ReplayOptions,
): Promise<HistoryReport> {
  const { workflows } = settings;
  const id = await sessionIdOf(named, { dataDir });
  return withLog(settings, async (log) => {
    const root = await rootAtAppend(await rootIn(log, id, workflows), at);
    return (await verifyRoot(root, workflows)) ?? refuseUnknownRoot(id);
  });
}

/** In the order in which the histories were created, with any number of threads. */
function everyReport(
  log: EventLog,
  { workflows }: EngineSettings,
  { jobs = 1, dataDir, import: module }: ReplayOptions,
): AsyncGenerator<LogReplayReport> {
  const threads = Math.min(jobs, availableParallelism());
  if (threads === 1) return verifyLog(log, workflows);
  const source = present({ dataDir, import: module });
  return verifyInThreads(rangesOf(log), threads, () => startReplayWorker(source));
}
