import { derivedId, type Duration, type Event, type Json, millisecondsOf } from '#lib/kernel';
import type { ChildEnded, SignalReceived } from '../runtime.events.js';
import type { JsonSchema, UsedStream } from '../run-values.js';
import { StepFailed } from './failures.js';
import { done } from './done.script.js';
import { frozen } from './freeze.js';
import { peopleWait } from '../people-wait.rules.js';
import { peopleAwaited } from './people-await.script.js';
import {
  type Closed,
  helper,
  here,
  type Named,
  type Open,
  type Place,
  type Script,
  waiting,
} from './script.js';

/** An answer to a signal. */
export interface Signalled<Payload> {
  readonly payload: Payload;
  /** The author of the answer: a person, or `operator`. Empty in a history of 0.2. */
  readonly by: string;
  /** The time of the answer: ISO 8601, UTC. */
  readonly at: string;
}

/** Waits for a time: a duration, or until an instant in ISO 8601 with `Z` or an offset. It fires late if no process runs at that time. */
export function timer(after: Duration | { readonly until: string }, { id }: Named = {}): Open<void> {
  return waiting(timer, function* () {
    const place = yield* here();
    const waits =
      typeof after === 'string' ? { afterMs: lengthOf(place, after) } : untilOf(place, after.until);
    yield* done({ do: 'timer', id: place.name('timer', id), ...waits });
  });
}

/** @throws WorkflowBug */
export function lengthOf(place: Place, duration: Duration): number {
  const fix = 'Write it in ISO 8601, of weeks, days, hours, minutes and seconds, such as PT48H';
  return millisecondsOf(duration) ?? place.broken(`${JSON.stringify(duration)} is no duration`, fix);
}

/** An instant without an offset would differ between machines. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

function untilOf(place: Place, until: string): { readonly afterMs: number; readonly until: string } {
  const ms = INSTANT.test(until) ? Date.parse(until) - Date.parse(place.now) : Number.NaN;
  const fix = 'Write it in ISO 8601 with Z or an offset, such as 2026-12-01T09:00:00Z';
  if (Number.isNaN(ms)) place.broken(`${JSON.stringify(until)} is no instant`, fix);
  return { afterMs: Math.max(0, ms), until };
}

/**
 * Waits for a signal from a program or, with a `prompt`, from a person. A payload that does not fit the schema is refused.
 * @throws StepFailed with the kind `expired`, if an operator gave the wait for a person times
 */
export function signal<Payload = Json>(
  name: string,
  { id, ...asked }: Named & { readonly schema?: JsonSchema; readonly prompt?: Json } = {},
): Open<Signalled<Payload>> {
  return waiting(signal, function* () {
    const place = yield* here();
    const step = { do: 'await', id: place.name('signal', id), signal: name, ...asked } as const;
    const isForPeople = peopleWait({ stepId: step.id, signal: name, ...asked }) !== undefined;
    const closed = isForPeople ? yield* peopleAwaited(step) : yield* done(step);
    const answer = closed && signalledIn<Payload>(closed);
    if (answer) return answer;
    const message = `Nobody answered the signal ${name} within its time.`;
    throw new StepFailed({ kind: 'expired', message, retryable: false }, step.id);
  });
}

/** The answer that closed an await; `undefined` if its time was over. */
export function signalledIn<Payload>({ event }: Closed): Signalled<Payload> | undefined {
  if (event.type !== 'SignalReceived') return undefined;
  const { payload, by = '' } = event.data as SignalReceived['data'];
  return { payload: frozen(payload) as Payload, by, at: event.occurredAt };
}

/** Runs another workflow, and gives its result. @throws StepFailed if the run fails, is refused, or is cancelled */
export function child<Result = Json>(
  workflow: string,
  input: Json,
  { id, context }: Named & { readonly context?: UsedStream } = {},
): Open<Result> {
  return waiting(child, function* () {
    const place = yield* here();
    const stepId = place.name('child', id);
    const { event } = yield* done({ do: 'child', id: stepId, workflow, input, ...(context && { context }) });
    const { status, result = null, failure } = event.data as ChildEnded['data'];
    if (status === 'completed') return frozen(result) as Result;
    const { kind, message } = failure ?? { kind: status, message: `The run of ${workflow} was ${status}.` };
    throw new StepFailed({ kind, message, retryable: false }, stepId);
  });
}

/** Records an event that the workflow declares in `events`. */
export function record(event: Event): Script<void> {
  return helper(record, function* () {
    const place = yield* here();
    yield* done({ do: 'record', event, place: place.name('record') });
  });
}

/** The time of the event after which the script continues: ISO 8601, UTC. */
export function now(): Script<string> {
  return helper(now, function* () {
    return (yield* here()).now;
  });
}

/** An id that no other run has. It is the same each time the script is run again. */
export function uuid({ id }: Named = {}): Script<string> {
  return helper(uuid, function* () {
    const place = yield* here();
    return derivedId(place.runId, place.name('uuid', id));
  });
}
