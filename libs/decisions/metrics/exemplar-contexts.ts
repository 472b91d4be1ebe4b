import { setImmediate } from 'node:timers/promises';
import type { EventLog } from '#lib/event-store';
import { fold } from '#lib/kernel';
import type { ExemplarRow, Page } from '#lib/read-models';
import {
  proposerContext,
  sessionDecider,
  type SessionEvent,
  type SessionState,
} from '#lib/decisions/session';
import type { Exemplar } from './decisions.views.js';

/** Exemplars with the context that a proposer got, from the streams of their sessions. Each stream is read once. An imported one has none. */
export async function withContexts(log: EventLog, page: Page<ExemplarRow>): Promise<Page<Exemplar>> {
  const sessions = new Map<string, SessionState>();
  for (const { sessionId, imported } of page.items) {
    if (imported || sessions.has(sessionId)) continue;
    const events = await log.readStream<SessionEvent>(log.streams.of('session', sessionId));
    sessions.set(sessionId, fold(sessionDecider, events));
    // The stream may be long: other requests get their turn in between.
    await setImmediate();
  }
  const items = page.items.flatMap((exemplar) => {
    if (exemplar.imported) return [exemplar];
    const session = sessions.get(exemplar.sessionId);
    return session ? [{ ...exemplar, context: proposerContext(session, exemplar.roundId) }] : [];
  });
  return { ...page, items };
}
