import type { ProposalView } from '#lib/session';
import { RejectionError } from '#lib/operations/core';
import {
  getSession,
  listLlmCallsOfSession,
  listProposals,
  type LlmCallRecord,
  withBodies,
} from '#lib/projections';
import { sessionRejections, type SessionView } from '#lib/session';
import { CATCH_UP_MS } from '../engine/ask-rows.js';
import { everyItem } from '../engine/every-item.js';
import type { ReadModels } from '../engine/with-read-models.js';
import { sessionTimeline } from '../timeline/session-timeline.js';
import type { TimelineEvent } from '../timeline/timeline-event.js';

/** A session with whole lists of its parts, oldest first. */
export interface SessionInspection {
  readonly session: SessionView;
  readonly proposals: readonly ProposalView[];
  readonly llmCalls: readonly LlmCallRecord[];
  readonly events: readonly TimelineEvent[];
}

/** @throws RejectionError when there is no such session; ProjectionBehind */
export async function inspectSession(
  { log, db, projections }: ReadModels,
  sessionId: string,
): Promise<SessionInspection> {
  const events = await sessionTimeline(log, sessionId);
  if (events.length === 0) throw new RejectionError(sessionRejections.unknownSession(sessionId));
  await projections.caughtUpWithHead(CATCH_UP_MS, ['sessions', 'decisions', 'llm_calls']);
  const session = await getSession(db, sessionId);
  if (!session) throw new RejectionError(sessionRejections.unknownSession(sessionId));
  const proposals = await everyItem((page) => listProposals(db, { sessionId }, page));
  const calls = await everyItem((page) => listLlmCallsOfSession(db, sessionId, page));
  const llmCalls = await withBodies(log, calls);
  return { session, proposals, llmCalls, events };
}
