import { folded } from '#lib/engine/core';
import type { EventLog } from '#lib/event-store';
import { runRequests } from '#lib/histories/core';
import { pastMoment, type PastMoment } from '#lib/operations/core';
import { sessionSeen } from '#lib/decisions/session';

/**
 * A session, or a conversation, as it was.
 * @param at a revision, a time, or `position:<position>`
 * @param category of its stream, if it is known
 * @throws RejectionError for a moment that is malformed, or not of it; `unknown-session` if there is neither
 */
export async function momentOf(
  log: EventLog,
  id: string,
  at: string,
  category?: string,
): Promise<PastMoment> {
  const [talk] = await log.store.readStream(log.streams.of('conversation', id), { limit: 1 });
  const seen = {
    ...sessionSeen(id),
    ...(talk && { category: 'conversation' }),
    ...(category !== undefined && { category }),
  };
  return pastMoment({ log, models: folded, requests: runRequests }, seen, at);
}
