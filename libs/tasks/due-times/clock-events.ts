import type { Escalated } from '#lib/candidates';
import { present, type RecordedEvent } from '#lib/kernel';
import type { DueMoved } from '#lib/workflow';
import { type Clock, dueAtOf, expiresAtOf, type Moved } from './clock.rules.js';
import { type DueTimesEvent, dueTimesEventDefinitions } from './due-times.events.js';

/** The events of a clock that tasks show. */
export type ClockEvent = DueTimesEvent | DueMoved;

/** The times of a task. Instants are ISO 8601, UTC. */
export interface TimesShown {
  readonly dueAt?: string;
  readonly expiresAt?: string;
  /** How many escalations have happened. */
  readonly escalations: number;
  readonly escalated?: Escalated;
}

/**
 * The times of a wait: an escalation holds for the wait, a moved instant for the clock that took it. Other events are passed over.
 * @param clock the last one of the wait
 * @param runs the events of each clock of the wait
 */
export function clockAfter(
  clock: Clock,
  runs: readonly (readonly RecordedEvent<ClockEvent>[])[],
): TimesShown {
  const moved = movedBy(runs.at(-1) ?? []);
  const dueAt = dueAtOf(clock, moved);
  const expiresAt = expiresAtOf(clock, moved);
  return {
    ...present({ dueAt, expiresAt }),
    ...escalationsIn(runs),
  };
}

/** The part of the times of a wait that stays when its clock has failed. @param runs the events of each clock of the wait */
export function escalationsIn(
  runs: readonly (readonly RecordedEvent<ClockEvent>[])[],
): Pick<TimesShown, 'escalations' | 'escalated'> {
  const events = runs.flat();
  const escalated = escalatedBy(events);
  return {
    escalations: events.filter(({ type }) => type === 'TaskEscalated').length,
    ...(escalated && { escalated }),
  };
}

/** The events that tasks show: those of the clock, and its moves. */
export function ofTasks(events: readonly RecordedEvent<ClockEvent>[]): readonly RecordedEvent<ClockEvent>[] {
  return events.filter(({ type }) => type === 'DueMoved' || type in dueTimesEventDefinitions);
}

/** The candidates that escalations have named. */
export function escalatedBy(events: readonly RecordedEvent<ClockEvent>[]): Escalated | undefined {
  return events.reduce<Escalated | undefined>((before, event) => {
    if (event.type !== 'TaskEscalated') return before;
    const { groups, people, keep } = event.data;
    if (!before || !keep) return { groups, people, isInstead: !keep };
    const merged = { groups: [...before.groups, ...groups], people: [...before.people, ...people] };
    return { ...merged, isInstead: before.isInstead };
  }, undefined);
}

function movedBy(events: readonly RecordedEvent<ClockEvent>[]): Moved {
  return events.reduce<Moved>((before, event) => {
    if (event.type !== 'DueMoved') return before;
    const { dueAt, expiresAt } = event.data;
    return {
      ...before,
      ...present({ dueAt, expiresAt }),
    };
  }, {});
}
