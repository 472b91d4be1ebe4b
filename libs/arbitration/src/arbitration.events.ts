// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event, Json } from '#lib/kernel';
import type { ArbiterContext, ArbitrationFailure, ContextExemplar, Verdict } from '#lib/session';
import type { ReceivedReply, RecordedReply } from '#lib/calls';
import type { ActivityFailure } from '#lib/legacy-workflow';

/** How an arbiter outside of the session comes to its verdict. */
export type ArbiterCallee =
  | { readonly kind: 'function'; readonly strategyFnName: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly tokenName: string };

export interface ArbitrationPolicies {
  /** Calls at most, the first included. 1: no retries. */
  readonly maxAttempts: number;
  /** Milliseconds until a call is given up. */
  readonly callTimeoutMs: number;
}

/** Everything that `next` will read. A given event. */
export type ArbitrationStarted = Event<
  'ArbitrationStarted',
  {
    readonly arbitrationId: string;
    readonly sessionId: string;
    readonly roundId: string;
    readonly machineName: string;
    readonly arbiterId: string;
    /** Which rules `next` follows: see `arbitration-versions.ts`. */
    readonly workflowVersion: number;
    readonly arbiter: ArbiterCallee;
    readonly policies: ArbitrationPolicies;
    /** As the round was when its arbitration was requested. */
    readonly context: ArbiterContext;
    /** What people decided in this state before, newest first. Absent where nobody did. */
    readonly humanGoldExamples?: readonly ContextExemplar[];
    /** The alignment of the context, under the name that DIAL gives it. Absent in histories of 0.1. */
    readonly alignmentScores?: ArbiterContext['alignment'];
  }
>;

/** One call. A function gets what `toldContext` makes of the start event. */
export type ArbiterCallRequested = Event<
  'ArbiterCallRequested',
  {
    /** UUIDv5(arbitrationId, n) for the n-th request of the arbitration, from 0. */
    readonly callId: string;
    /** From 1. */
    readonly attempt: number;
    /** How long to wait before the call, because of the attempt before. */
    readonly delayMs: number;
    readonly timeoutMs: number;
  } & ArbiterCall
>;

export type ArbiterCall =
  | { readonly strategyFnName: string }
  /** `requestBody` is the object that goes over the wire. Holds no credentials. */
  | { readonly url: string; readonly requestBody: ArbiterContext };

/** Something came, whatever it says. */
export type ArbiterCallCompleted = Event<'ArbiterCallCompleted', { readonly callId: string } & ArbiterAnswer>;

export type ArbiterAnswer =
  /** `result` as the function returned it: not checked yet */
  { readonly result: Json; readonly durationMs: number } | RecordedReply;

/** The function failed, or no whole reply of the webhook came. */
export type ArbiterCallFailed = Event<
  'ArbiterCallFailed',
  {
    readonly callId: string;
    readonly failure: ActivityFailure;
    /** Absent where no reply of a webhook began to come. */
    readonly received?: ReceivedReply;
  }
>;

/** Whether its winner is an open proposal is for the session to judge. */
export type VerdictReached = Event<'VerdictReached', Verdict>;

export type VerdictFailed = Event<'VerdictFailed', { readonly failure: ArbitrationFailure }>;

export type ArbitrationEvent =
  | ArbitrationStarted
  | ArbiterCallRequested
  | ArbiterCallCompleted
  | ArbiterCallFailed
  | VerdictReached
  | VerdictFailed;

export const arbitrationEventDefinitions: EventDefinitions<ArbitrationEvent> = {
  ArbitrationStarted: { version: 1 },
  ArbiterCallRequested: { version: 1 },
  ArbiterCallCompleted: { version: 1 },
  ArbiterCallFailed: { version: 1 },
  VerdictReached: { version: 1 },
  VerdictFailed: { version: 1 },
};
