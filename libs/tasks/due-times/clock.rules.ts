import type { WaitingTimes } from '#lib/candidates';
import type { DecidingPolicy, TimedTransition } from '#lib/decisions/machines';
import { millisecondsOf } from '#lib/kernel';
import type { DueTimesEvent } from './due-times.events.js';

/** A clock: the times of one round, or of one wait for people. */
export type Clock = {
  /** When the round or the wait began: ISO 8601, UTC. */
  readonly since: string;
  /** Of a wait. */
  readonly taskId?: string;
  readonly times?: Pick<DecidingPolicy, keyof WaitingTimes | 'onExpiry'>;
  /** Of a round. */
  readonly after?: readonly TimedTransition[];
};

/** Instants that an operator has set in place of those of the definition. ISO 8601. */
export interface Moved {
  readonly dueAt?: string;
  readonly expiresAt?: string;
}

/** The end of a clock: the wait has expired, or the round has the age of a timed transition. Without a transition nothing is decided. */
type TimeIsUp = { readonly transition?: string };

/** An effect of a clock at one instant. */
export interface Moment {
  /** Tells the moments of a clock apart. */
  readonly key: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly does: { readonly record: DueTimesEvent } | { readonly end: TimeIsUp };
}

/** When a wait is due; `undefined` for never. */
export function dueAtOf({ since, times }: Clock, moved: Moved): string | undefined {
  return moved.dueAt ?? after(since, times?.dueIn);
}

/** When a wait takes no more answers; `undefined` for never. */
export function expiresAtOf({ since, times }: Clock, moved: Moved): string | undefined {
  return moved.expiresAt ?? after(since, times?.expireIn);
}

/** The effects of a clock in their order: at the same instant reminders first, then due, escalations, transitions, expiry. */
export function momentsOf(clock: Clock, moved: Moved): readonly Moment[] {
  const { since, after: timed = [] } = clock;
  const all = [
    ...dueMoments(clock, moved),
    ...escalationMoments(clock),
    ...timed.map(({ in: duration, transition }, index): Moment => {
      return { key: `after ${index}`, at: after(since, duration), does: { end: { transition } } };
    }),
    ...expiryMoments(clock, moved),
  ];
  return all.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function dueMoments(clock: Clock, moved: Moved): readonly Moment[] {
  const { taskId = '', times } = clock;
  const dueAt = dueAtOf(clock, moved);
  if (dueAt === undefined) return [];
  const reminders = (times?.remindBefore ?? []).map((before): Moment => {
    const at = new Date(Date.parse(dueAt) - (millisecondsOf(before) ?? 0)).toISOString();
    return { key: `remind ${before} ${dueAt}`, at, does: recorded('TaskReminded', { taskId, dueAt }) };
  });
  return [...reminders, { key: `due ${dueAt}`, at: dueAt, does: recorded('TaskOverdue', { taskId, dueAt }) }];
}

function escalationMoments({ since, taskId = '', times }: Clock): readonly Moment[] {
  return (times?.escalations ?? []).map(({ in: duration, groups = [], people = [], keep = true }, index) => {
    const does = { record: { type: 'TaskEscalated', data: { taskId, groups, people, keep } } } as const;
    return { key: `escalate ${index}`, at: after(since, duration), does };
  });
}

function expiryMoments(clock: Clock, moved: Moved): readonly Moment[] {
  const expiresAt = expiresAtOf(clock, moved);
  const end = clock.times?.onExpiry ?? {};
  return expiresAt === undefined ? [] : [{ key: `expire ${expiresAt}`, at: expiresAt, does: { end } }];
}

function recorded(
  type: 'TaskReminded' | 'TaskOverdue',
  data: { readonly taskId: string; readonly dueAt: string },
): Moment['does'] {
  return { record: { type, data } };
}

function after(since: string, duration: string): string;
function after(since: string, duration: string | undefined): string | undefined;
function after(since: string, duration: string | undefined): string | undefined {
  if (duration === undefined) return undefined;
  return new Date(Date.parse(since) + (millisecondsOf(duration) ?? 0)).toISOString();
}
