import { setImmediate } from 'node:timers/promises';
import { cannotBeRead, type EventLog } from '#lib/event-store';
import { fold } from '#lib/kernel';
import type { ExemplarRow, Page } from '#lib/read-models';
import {
  proposerContext,
  sessionDecider,
  type SessionEvent,
  type SessionState,
} from '#lib/decisions/session';
import type { Exemplar } from './decisions.views.js';

/**
 * Exemplars with the context of a proposer in their round, from the streams of their sessions. Each stream is read once. An
 * imported exemplar has no context, nor has one of an unreadable session.
 */
export async function withContexts(log: EventLog, page: Page<ExemplarRow>): Promise<Page<Exemplar>> {
  const sessions = new Map<string, SessionState | 'unreadable'>();
  for (const { sessionId, imported } of page.items) {
    if (imported || sessions.has(sessionId)) continue;
    sessions.set(sessionId, await sessionOf(log, sessionId));
    // The stream may be long: other requests run in between.
    await setImmediate();
  }
  const items = page.items.flatMap((exemplar) => {
    const session = sessions.get(exemplar.sessionId);
    if (exemplar.imported || session === 'unreadable') return [exemplar];
    return session ? [{ ...exemplar, context: proposerContext(session, exemplar.roundId) }] : [];
  });
  return { ...page, items };
}

async function sessionOf(log: EventLog, sessionId: string): Promise<SessionState | 'unreadable'> {
  try {
    return fold(sessionDecider, await log.readStream<SessionEvent>(log.streams.of('session', sessionId)));
  } catch (error) {
    if (cannotBeRead(error)) return 'unreadable';
    throw error;
  }
}
