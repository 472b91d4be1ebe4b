import { derivedId } from '#lib/kernel';

/** The run in which rules run, and the version of its workflow. */
export interface RulesAt {
  readonly runId: string;
  readonly version: number;
}

/** The name of a call. */
export interface CallAt {
  /** The same for every attempt, and unique over all runs. In version 1 of the workflows it is the place. */
  readonly callId: string;
  /** The place in the history of the run: the ids of the call's steps begin with it. Default: `callId`. */
  readonly place: string;
  /** The version of the workflow that makes the call. Default: 1. */
  readonly version: number;
}

/** The name of the call at a place of a run. */
export function callAt({ runId, version }: RulesAt, place: string): CallAt {
  return { callId: version === 1 ? place : derivedId(runId, place), place, version };
}

/** The call with its current name: in a fork, a call that is asked for again is a new call. */
export function namedIn<Call extends Partial<CallAt>>(runId: string, call: Call): Call {
  const { place, version = 1 } = call;
  return place === undefined ? call : { ...call, ...callAt({ runId, version }, place) };
}
