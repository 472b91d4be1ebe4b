import { arrow, personText } from '#lib/summaries';
import type { Paint } from '../io.js';
import { Asks, type TimelineEvent } from './session-timeline.js';
import { timelineLine } from './timeline-line.js';
import type { TransitionExecuted } from '#lib/decisions/session';

/**
 * The events of a session as lines. Each decided round but the newest is folded into one line; `isWhole` shows every event of every round.
 */
export function roundLines(
  events: readonly TimelineEvent[],
  isWhole: boolean,
  paint: Paint,
): readonly string[] {
  const [first] = events;
  if (!first) return [];
  const begun = Date.parse(first.occurredAt);
  return roundsOf(events).flatMap((round, index, rounds) => {
    const isFolded = !isWhole && index < rounds.length - 1 && round.executed !== undefined;
    const head = `  ${paint('bold', `round ${index + 1}`)}  ${summary(round)}`;
    return isFolded ? [head] : [head, ...eventLines(round, begun, paint)];
  });
}

function eventLines({ events, asks }: TimelineRound, begun: number, paint: Paint): readonly string[] {
  return events.map((event) => {
    const elapsedMs = Date.parse(event.occurredAt) - begun;
    return timelineLine(event, elapsedMs, paint, asks.of(event)?.specialistId);
  });
}

function summary({ events, executed }: TimelineRound): string {
  const calls = events.filter(({ type }) => type === 'LlmCallRequested').length;
  const counted = `${count(events.length, 'event')}, ${count(calls, 'call')} to models`;
  const isClosed = events.some(({ type }) => type === 'SessionClosed');
  if (!executed) return `${isClosed ? 'closed' : 'open'} (${counted})`;
  const override = events.find((event) => event.type === 'HumanOverrideAccepted');
  const { isHuman, decidedBy } = executed;
  const decider = isHuman ? personText(override?.data ?? { specialistId: decidedBy }) : decidedBy;
  return `${arrow(executed)}  decided by ${decider} (${counted})`;
}

function count(amount: number, name: string): string {
  return `${amount} ${name}${amount === 1 ? '' : 's'}`;
}

/** The events of one round of a session, in log order, late ones included. */
interface TimelineRound {
  readonly events: readonly TimelineEvent[];
  /** The specialist and the purpose of each call, by event. */
  readonly asks: Asks;
  /** Absent while the round is open, and if the session was closed in it. */
  readonly executed?: TransitionExecuted['data'];
}

/** The rounds of a session with events, oldest first. The first one begins with the session. */
function roundsOf(events: readonly TimelineEvent[]): readonly TimelineRound[] {
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
