import { derivedId } from '#lib/kernel';
import { hasTimes } from '#lib/candidates';
import { type MachineDefinition, peopleOf, timedTransitionsOf } from '#lib/decisions/machines';
import type { SessionEvent } from '../session.events.js';
import { evolveSession } from '../session.evolve.js';
import { currentRound, type Session, type SessionState } from '../session.state.js';

/** The most decisions of timers in a row: then no timer decides, and a person is asked. */
export const MOST_TIMED = 1_000;

/** The id of a clock for a wait of the round, and of its run. @param before the number of the wait's ended clocks */
export function waitClockId(session: Session, version: number, before = 0): string {
  const first = `clock ${currentRound(session).roundId} ${version}`;
  return derivedId(session.sessionId, before === 0 ? first : `${first} ${before}`);
}

/** The open clocks. */
export function openClocks({ clocks: { round, wait } }: Session): readonly string[] {
  return [round, wait].filter((id) => id !== undefined);
}

/**
 * The events of a command, with the clocks that they start and end: a round with `after` has one, and a wait with a due time,
 * escalations or an expiry has another. A clock ends with its round or wait; that of a wait also ends when the round waits again.
 */
export function withClocks(events: readonly SessionEvent[], before: SessionState): readonly SessionEvent[] {
  let state = before;
  return events.map((event) => {
    const known = withClock(event, state);
    // Few commands have several events: a single one is not folded twice.
    if (events.length > 1) state = evolveSession(state, known);
    return known;
  });
}

function withClock(event: SessionEvent, session: SessionState): SessionEvent {
  if (event.type === 'SessionCreated') {
    const { sessionId, machine, initialState, roundId } = event.data;
    const begun = roundClock(sessionId, machine, initialState, roundId);
    return begun ? { ...event, data: { ...event.data, ...begun } } : event;
  }
  if (!session) return event;
  if (event.type === 'SessionForked') {
    const { machine = session.machine, roundId, freshRound } = event.data;
    if (freshRound && session.timedInARow >= MOST_TIMED) return event;
    const begun = roundClock(session.sessionId, machine, session.currentState, roundId);
    return begun ? { ...event, data: { ...event.data, ...begun } } : event;
  }
  if (event.type === 'TransitionExecuted') {
    const { toState, nextRoundId, timedBy } = event.data;
    const isLast = timedBy !== undefined && session.timedInARow + 1 >= MOST_TIMED;
    const begun = isLast ? undefined : roundClock(session.sessionId, session.machine, toState, nextRoundId);
    const ended = ends(openClocks(session).filter((id) => id !== timedBy));
    return begun || ended ? { ...event, data: { ...event.data, ...begun, ...ended } } : event;
  }
  if (event.type === 'SessionClosed') {
    const ended = ends(openClocks(session));
    return ended ? { ...event, data: { ...event.data, ...ended } } : event;
  }
  if (event.type === 'HumanInputRequested') {
    const begun = waitClock(session);
    const ended = ends(session.clocks.wait === undefined ? [] : [session.clocks.wait]);
    return begun || ended ? { ...event, data: { ...event.data, ...begun, ...ended } } : event;
  }
  return event;
}

function ends(clocks: readonly string[]): { readonly endsClocks: readonly string[] } | undefined {
  return clocks.length > 0 ? { endsClocks: clocks } : undefined;
}

function roundClock(sessionId: string, machine: MachineDefinition, state: string, roundId: string) {
  if (timedTransitionsOf(machine, state).length === 0) return undefined;
  return { clockId: derivedId(sessionId, `clock ${roundId}`) };
}

function waitClock(session: Session) {
  const { machine, currentState, waits, timedInARow } = session;
  if (timedInARow >= MOST_TIMED || !hasTimes(peopleOf(machine, currentState))) return undefined;
  return { clockId: waitClockId(session, waits + 1) };
}
