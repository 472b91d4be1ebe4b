import { type ConversationEvent, conversationView, turnViews } from '#lib/flows/core';
import type { EventLog } from '#lib/event-store';
import { recordedCalls } from '#lib/call-rules';
import type { OpenedHistory } from '#lib/histories/core';
import { RejectionError } from '#lib/operations/core';
import { runView } from '#lib/runs/runs/core';
import { runRejections } from '#lib/workflow';
import {
  getSession,
  listLlmCallsOfSession,
  listProposals,
  type LlmCallRecord,
  type LlmCallRow,
  withBodies,
} from '#lib/read-models';
import { type ProposalView, sessionRejections, type SessionView } from '#lib/decisions/session';
import { withRowsOfHistory } from '../engine/with-history.js';
import { CATCH_UP_MS, type ReadModels, settingsFor, withReadModels } from '../engine/with-log.js';
import { type ConversationInspection, conversationLines } from '../format/conversations.js';
import { CALLS, PROPOSALS } from '../format/lists.js';
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

type InspectOptions = GlobalOptions & { readonly all?: boolean };

/** A session with whole lists of its parts, oldest first. */
interface SessionInspection {
  readonly session: SessionView;
  readonly proposals: readonly ProposalView[];
  readonly llmCalls: readonly LlmCallRecord[];
  readonly events: readonly TimelineEvent[];
}

export async function inspect({ dataDir, json, all = false }: InspectOptions, io: Io, named: string) {
  const inspection = isHistoryFile(named)
    ? await withRowsOfHistory(named, inspectHistory)
    : await inspectNamed(named, dataDir);
  printResult(io, json, inspection, (one, paint) => {
    if ('run' in one) return linesOf('getRun', one.run, paint, dataDir);
    return 'conversation' in one ? conversationLines(one, paint) : inspectionLines(one, all, paint);
  });
}

async function inspectNamed(named: string, dataDir: string | undefined) {
  const id = await sessionIdOf(named, { dataDir });
  return withReadModels(settingsFor(dataDir), (models) => inspected(models, id));
}

async function inspected(models: ReadModels, id: string) {
  return (await inspectConversation(models.log, id)) ?? inspectSession(models, id);
}

async function inspectHistory(models: ReadModels, { head: { root }, stream }: OpenedHistory) {
  if (root.kind !== 'run') return inspected(models, root.id);
  const run = runView(root.id, await models.log.readStream(stream), recordedCalls);
  if (!run) throw new RejectionError(runRejections.unknownRun(root.id));
  return { run };
}

/** From the log alone. @returns `undefined` if there is no such conversation */
async function inspectConversation(log: EventLog, id: string): Promise<ConversationInspection | undefined> {
  const history = await log.load<ConversationEvent>(log.streams.of('conversation', id));
  const conversation = conversationView(history);
  return conversation && { conversation, turns: turnViews(history.events) };
}

/** @throws RejectionError when there is no such session; ProjectionBehind */
async function inspectSession(
  { log, db, projections }: ReadModels,
  sessionId: string,
): Promise<SessionInspection> {
  const events = await sessionTimeline(log, sessionId);
  if (events.length === 0) throw new RejectionError(sessionRejections.unknownSession(sessionId));
  await projections.caughtUpWithHead(CATCH_UP_MS, ['sessions', 'llm_calls']);
  const session = await getSession(db, sessionId);
  if (!session) throw new RejectionError(sessionRejections.unknownSession(sessionId));
  const proposals = await everyItem((page) => listProposals(db, { sessionId }, page));
  const show = (calls: readonly LlmCallRow[]) => withBodies(log, calls);
  const llmCalls = await everyItem((page) => listLlmCallsOfSession(db, sessionId, page, show));
  return { session, proposals, llmCalls, events };
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
