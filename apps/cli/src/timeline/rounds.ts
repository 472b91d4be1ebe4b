import type { TransitionExecuted } from '#lib/session';
import { Asks } from './asks.js';
import type { TimelineEvent } from './timeline-event.js';

/** The events of one round of a session, in log order, late ones included. */
export interface TimelineRound {
  readonly events: readonly TimelineEvent[];
  /** The specialist and the purpose of each call, by event. */
  readonly asks: Asks;
  /** Absent while the round is open. */
  readonly executed?: TransitionExecuted['data'];
}

/** The rounds of a session in which something happened, oldest first. The first one begins with the session. */
export function roundsOf(events: readonly TimelineEvent[]): readonly TimelineRound[] {
  const asks = new Asks();
  const byRound = new Map<string, TimelineEvent[]>();
  for (const event of events) {
    asks.note(event);
    const roundId = ('roundId' in event.data ? event.data.roundId : asks.of(event)?.roundId) ?? '';
    const round = byRound.get(roundId) ?? [];
    byRound.set(roundId, [...round, event]);
  }
  return [...byRound.values()].map((round) => {
    const executed = round.find((event) => event.type === 'TransitionExecuted');
    return { events: round, asks, ...(executed && { executed: executed.data }) };
  });
}
