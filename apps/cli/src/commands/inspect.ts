import { type ConversationEvent, conversationView, turnViews } from '#lib/flows/core';
import type { EventLog } from '#lib/event-store';
import { refuseUnknownRoot, type RootInLog } from '#lib/histories/core';
import { recordedCalls } from '#lib/call-rules';
import { refuse } from '#lib/operations/core';
import type { RunView } from '#lib/runs/runs';
import { runView } from '#lib/runs/runs/core';
import {
  getSession,
  listLlmCallsOfSession,
  listProposals,
  type LlmCallRecord,
  type LlmCallRow,
  type Rows,
  withBodies,
} from '#lib/read-models';
import { type ProposalView, sessionRejections, type SessionView } from '#lib/decisions/session';
import { momentOf, rootIn } from '../engine/with-root.js';

import { withRowsOfHistory } from '../engine/with-history.js';
import { CATCH_UP_MS, type ReadModels, settingsFor, withLog, withReadModels } from '../engine/with-log.js';
import { CALLS } from '../format/calls.js';
import { type ConversationInspection, inspectedConversationLines } from '../format/conversations.js';
import { PROPOSALS } from '../format/lists.js';
import { linesOf } from '../format/answer-lines.js';
import { historyLines, sessionLines } from '../format/sessions.js';
import { part, table } from '../format/table.js';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, type Paint, printResult } from '../io.js';
import { everyItem } from '../operations/every-item.js';
import { roundLines } from '../timeline/round-lines.js';
import { sessionTimeline, type TimelineEvent } from '../timeline/session-timeline.js';

type InspectOptions = GlobalOptions & { readonly all?: boolean; readonly at?: string };

/** A session with whole lists of its parts, oldest first. */
interface SessionInspection {
  readonly session: SessionView;
  readonly proposals: readonly ProposalView[];
  readonly llmCalls: readonly LlmCallRecord[];
  readonly events: readonly TimelineEvent[];
}

export async function inspect(
  { dataDir, json, all = false, at }: InspectOptions,
  io: Io,
  named: string,
): Promise<void> {
  const inspection = await (isHistoryFile(named) ? inspectFile(named, at) : inspectNamed(named, dataDir, at));
  printResult(io, json, inspection, (one, paint) => {
    if ('run' in one) return linesOf('getRun', one.run, paint, dataDir);
    return 'conversation' in one ? inspectedConversationLines(one, paint) : inspectionLines(one, all, paint);
  });
}

const ROWS = ['sessions', 'llm_calls'] as const;
type SessionRows = Rows<(typeof ROWS)[number]>;

/** The log and the rows to inspect. */
interface Source {
  readonly log: EventLog;
  readonly ask: (of: (db: SessionRows) => Promise<SessionInspection>) => Promise<SessionInspection>;
}

async function inspectNamed(named: string, dataDir: string | undefined, at: string | undefined) {
  const id = await sessionIdOf(named, { dataDir });
  const settings = settingsFor(dataDir);
  const { workflows } = settings;
  if (at !== undefined)
    return withLog(settings, async (log) => inspectedAt(await rootIn(log, id, workflows), at));
  return withReadModels(settings, async (models) =>
    inspected(asItIs(models), await rootIn(models.log, id, workflows)),
  );
}

function inspectFile(file: string, at: string | undefined) {
  return withRowsOfHistory(file, (models, { head: { root }, stream }) => {
    const inLog = { root, stream, log: models.log };
    return at === undefined ? inspected(asItIs(models), inLog) : inspectedAt(inLog, at);
  });
}

/** @throws RejectionError for a moment that is malformed, or not of it */
async function inspectedAt(root: RootInLog, at: string) {
  const past = await momentOf(root, at);
  return inspected({ log: past.log, ask: (of) => past.ask(ROWS, (db) => of(db)) }, root);
}

async function inspected(source: Source, { root: { kind, id }, stream }: RootInLog) {
  if (kind === 'run') return { run: await inspectRun(source.log, id, stream) };
  return kind === 'conversation' ? inspectConversation(source.log, id) : inspectSession(source, id);
}

function asItIs({ log, db, projections }: ReadModels): Source {
  const ask: Source['ask'] = async (of) => {
    await projections.caughtUpWithHead(CATCH_UP_MS, ROWS);
    return of(db);
  };
  return { log, ask };
}

/** From the log alone, like a conversation. */
async function inspectRun(log: EventLog, id: string, stream: string): Promise<RunView> {
  return runView(id, await log.readStream(stream), recordedCalls) ?? refuseUnknownRoot(id);
}

async function inspectConversation(log: EventLog, id: string): Promise<ConversationInspection> {
  const history = await log.load<ConversationEvent>(log.streams.of('conversation', id));
  return {
    conversation: conversationView(history) ?? refuseUnknownRoot(id),
    turns: turnViews(history.events),
  };
}

/** @throws RejectionError when there is no such session; ProjectionBehind */
async function inspectSession({ log, ask }: Source, sessionId: string): Promise<SessionInspection> {
  const events = await sessionTimeline(log, sessionId);
  if (events.length === 0) refuse(sessionRejections.unknownSession(sessionId));
  return ask(async (db) => {
    const session = await getSession(db, sessionId);
    if (!session) refuse(sessionRejections.unknownSession(sessionId));
    const proposals = await everyItem((page) => listProposals(db, { sessionId }, page));
    const show = (calls: readonly LlmCallRow[]) => withBodies(log, calls);
    const llmCalls = await everyItem((page) => listLlmCallsOfSession(db, sessionId, page, show));
    return { session, proposals, llmCalls, events };
  });
}

/** All parts of a session; empty parts are left out. */
function inspectionLines(
  { session, proposals, llmCalls, events }: SessionInspection,
  all: boolean,
  paint: Paint,
): readonly string[] {
  const { history } = session;
  return [
    ...sessionLines(session, paint),
    ...part(paint('bold', 'History'), history, historyLines(history)),
    ...part(paint('bold', 'Proposals'), proposals, table(PROPOSALS, proposals)),
    ...part(paint('bold', 'Calls to models'), llmCalls, table(CALLS, llmCalls)),
    ...part(paint('bold', 'Timeline'), events, roundLines(events, all, paint)),
  ];
}
