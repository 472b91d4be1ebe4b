import type { Event, JsonDifference } from '#lib/kernel';

/** What a workflow wants next. */
export type Step<E extends Event> =
  /** a derived event: something that follows from the history alone, such as a fallback taken */
  | { readonly kind: 'append'; readonly event: E }
  /** append the request (derived), perform it, append its outcome (given) */
  | { readonly kind: 'perform'; readonly request: E }
  /** the result or the failure (derived); nothing comes after it */
  | { readonly kind: 'end'; readonly event: E };

/**
 * A durable computation whose only memory is its history. Pure: no clock, no randomness, no outside.
 * Whatever `next` reads is in the start event or in outcomes, so walking a recorded history and asking `next` again
 * must give the recorded events.
 */
export interface Workflow<State, E extends Event> {
  readonly name: string;
  /** The type of the event that each of its histories begins with. */
  readonly startType: E['type'];
  /** The types of the events that end it. */
  readonly endTypes: readonly E['type'][];
  initialState(start: E): State;
  /** Total: takes every event in every state and never throws. */
  evolve(state: State, event: E): State;
  /** The request that waits for its outcome, if one does. Until that is recorded, `next` is not asked. */
  pending(state: State): E | undefined;
  next(state: State): Step<E>;
  /** The outcome that says a request came to nothing: the process died, or the activity could not answer. */
  failed(request: E, failure: ActivityFailure): E;
  /** What a given event says of itself that is not so: a checksum over other bytes. `undefined` when it is sound. */
  damage(event: E): JsonDifference | undefined;
}

/** Why an activity came to nothing. */
export type ActivityFailure = {
  readonly kind:
    /** the process that performed it died, or let go of it, before it knew the answer */
    | 'interrupted'
    | 'network'
    | 'timeout'
    /** the answer came and cannot be taken: too large, not readable */
    | 'unusable'
    /** a registered function threw */
    | 'function';
  readonly message: string;
  readonly retryable: boolean;
  readonly durationMs: number;
};
