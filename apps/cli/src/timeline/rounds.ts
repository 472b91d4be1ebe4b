import type { TransitionExecuted } from '#lib/session';
import { Asks } from './asks.js';
import type { TimelineEvent } from './timeline-event.js';

/** What happened in one round of a session, in log order; with what came late for it. */
export interface TimelineRound {
  readonly events: readonly TimelineEvent[];
  /** Who was asked for what, by event. */
  readonly asks: Asks;
  /** Absent while the round is open. */
  readonly executed?: TransitionExecuted['data'];
  /** Who decided, in words; absent while the round is open. */
  readonly decidedBy?: string;
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
  return [...byRound.values()].map((round) => ({ events: round, asks, ...decisionOf(round) }));
}

function decisionOf(events: readonly TimelineEvent[]): Pick<TimelineRound, 'executed' | 'decidedBy'> {
  const executed = events.find((event) => event.type === 'TransitionExecuted');
  if (!executed) return {};
  return { executed: executed.data, decidedBy: deciderOf(events) };
}

function deciderOf(events: readonly TimelineEvent[]): string {
  for (const { type, data } of events) {
    if (type === 'HumanOverrideAccepted') return `${data.specialistId} (a person)`;
    if (type === 'ConsensusReached') return data.arbiter.specialistId;
  }
  return 'an operator';
}
