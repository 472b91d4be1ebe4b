import { type Json, present } from '#lib/kernel';
import {
  checkScript,
  done,
  DUE_MOVED,
  DUE_TIMES,
  type DueMoved,
  either,
  type Given,
  here,
  now,
  type Open,
  record,
  scripted,
  type ScriptState,
  type Steps,
  timer,
  waiting,
  type Workflow,
} from '#lib/workflow';
import { type Clock, type Moment, type Moved, momentsOf } from './clock.rules.js';
import { type DueTimesEvent, dueTimesEventDefinitions } from './due-times.events.js';
import { clockOfSession } from './clock-of-session.js';

/** Waits until an operator moves the clock. */
function dueMoved(): Open<Moved> {
  return waiting(dueMoved, function* () {
    const place = yield* here();
    const { event } = yield* done({ do: 'await', id: place.name('moved'), signal: DUE_MOVED });
    const { dueAt, expiresAt } = event.data as DueMoved['data'];
    return present({ dueAt, expiresAt });
  });
}

/**
 * Handles the moments of one clock, each once and in order, however late: it records reminders, due and escalations, and ends with the
 * expiry or the age of a round. After a move, only the moments that are still ahead have new instants.
 */
function* timed({ start, context }: Given): Steps<Json> {
  const clock = (context ?? start.data.input) as Clock;
  const past = new Set<string>();
  let moved: Moved = {};
  for (;;) {
    const next = momentsOf(clock, moved).find(({ key }) => !past.has(key));
    const first = next
      ? yield* either({ time: timer({ until: next.at }), moved: dueMoved() })
      : { moved: yield* dueMoved() };
    if ('moved' in first) {
      moved = { ...moved, ...first.moved };
      if (first.moved.dueAt === undefined) continue;
      const at = yield* now();
      for (const { key } of momentsOf(clock, moved).filter((one) => isSkipped(one, at))) past.add(key);
    } else if (next) {
      past.add(next.key);
      if ('end' in next.does) return next.does.end;
      yield* record(next.does.record);
    }
  }
}

/** A reminder that a move has put into the past. */
function isSkipped({ at, does }: Moment, now: string): boolean {
  return 'record' in does && does.record.type === 'TaskReminded' && Date.parse(at) < Date.parse(now);
}

/** Times a round or a wait for people. Its clock is in the stream that asks for it, or, of a child, its input. */
export const dueTimes: Workflow<ScriptState, DueTimesEvent> = {
  name: DUE_TIMES,
  internal: true,
  events: dueTimesEventDefinitions,
  versions: {
    1: scripted({ input: { type: 'object' }, contextOf: clockOfSession, check: checkScript }, timed),
  },
};
