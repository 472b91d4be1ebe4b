import { derivedId } from '#lib/kernel';

/** Where rules run: of which run, and in which version of its workflow. */
export interface RulesAt {
  readonly runId: string;
  readonly version: number;
}

/** The name of a call. */
export interface CallAt {
  /** The same for every attempt, and that of no other call of any run. In version 1 of the workflows it is the place. */
  readonly callId: string;
  /** In the history of the run: the ids of its steps begin with it. Default: `callId`. */
  readonly place: string;
  /** Of the workflow that makes the call. Default: 1. */
  readonly version: number;
}

/** The name of the call at a place of a run. */
export function callAt({ runId, version }: RulesAt, place: string): CallAt {
  return { callId: version === 1 ? place : derivedId(runId, place), place, version };
}

/** The call as the run names it now: in a fork, what is asked for again is a call of its own. */
export function namedIn<Call extends Partial<CallAt>>(runId: string, call: Call): Call {
  const { place, version = 1 } = call;
  return place === undefined ? call : { ...call, ...callAt({ runId, version }, place) };
}
