// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event, Json, JsonObject } from '#lib/kernel';
import type { Choice, ContextExemplar, ProposerContext, SolicitationFailure } from '#lib/session';
import type { PriceInForce, ReceivedReply, RecordedReply } from '#lib/calls';
import type { ActivityFailure } from '#lib/legacy-workflow';
import type { ArgumentFindings, CallRung, FallbackTaken, ProposerMode } from '../solicitation.events.js';

export type { ArgumentFindings, CallRung, FallbackTaken, ProposerMode };

export interface SolicitationPolicies {
  /** Calls for one rung, or of one webhook, at most, the first included. 1: no retries. */
  readonly maxAttempts: number;
  /** Milliseconds until a call of a model or a function is given up. */
  readonly callTimeoutMs: number;
  /** Milliseconds until a call of a webhook is given up. Absent in histories that know no webhooks. */
  readonly webhookTimeoutMs?: number;
}

/** Everything that `next` will read. A given event. */
export type SolicitationStarted = Event<
  'SolicitationStarted',
  {
    readonly solicitationId: string;
    /** Of the session that asks, or of the evaluation. */
    readonly sessionId: string;
    readonly roundId: string;
    readonly specialistId: string;
    readonly specialistVersion: number;
    /** Which rules `next` follows: see `ladder-versions.ts`. */
    readonly workflowVersion: number;
    readonly proposer: ProposerMode;
    readonly policies: SolicitationPolicies;
    readonly context: ProposerContext;
    /** Of the model, when it was asked. Absent where none is known. */
    readonly price?: PriceInForce;
    /** What people decided in this state before, newest first. Absent where nobody did. */
    readonly exemplars?: readonly ContextExemplar[];
  }
>;

export type LlmCallRequested = Event<
  'LlmCallRequested',
  {
    /** UUIDv5(solicitationId, n) for the n-th request of the solicitation, from 0. */
    readonly callId: string;
    readonly rung: CallRung;
    /** From 1, within the rung. */
    readonly attempt: number;
    /** How long to wait before the call, because of the attempt before. */
    readonly delayMs: number;
    readonly timeoutMs: number;
    readonly requestUrl: string;
    /** The object that goes over the wire. Holds no credentials. */
    readonly requestBody: JsonObject;
  }
>;

/** A reply came, whatever its status. */
export type LlmCallCompleted = Event<'LlmCallCompleted', RecordedReply & { readonly callId: string }>;

/** No whole reply came. */
export type LlmCallFailed = Event<
  'LlmCallFailed',
  {
    readonly callId: string;
    readonly failure: ActivityFailure;
    /** Absent where the process that sent them is gone. */
    readonly requestHeaders?: { readonly [name: string]: string };
    /** Absent where no reply began to come. */
    readonly received?: ReceivedReply;
  }
>;

/** A registered function is asked for the context. It gets the context of the start event. */
export type ContextRequested = Event<
  'ContextRequested',
  { readonly callId: string; readonly contextFnName: string }
>;
export type ContextCompleted = Event<
  'ContextCompleted',
  { readonly callId: string; readonly text: string; readonly durationMs: number }
>;
export type ContextFailed = Event<
  'ContextFailed',
  { readonly callId: string; readonly failure: ActivityFailure }
>;

/** A strategy, built in or registered, is asked for the choice. It gets the context of the start event. */
export type StrategyCallRequested = Event<
  'StrategyCallRequested',
  { readonly callId: string; readonly strategyFnName: string }
>;
export type StrategyCallCompleted = Event<
  'StrategyCallCompleted',
  /** `result` as the function returned it: not checked yet. */
  { readonly callId: string; readonly result: Json; readonly durationMs: number }
>;
export type StrategyCallFailed = Event<
  'StrategyCallFailed',
  { readonly callId: string; readonly failure: ActivityFailure }
>;

/** `strategy`: a choice is asked for. `context`: what a model is told. */
export type WebhookPurpose = 'strategy' | 'context';

export type WebhookCallRequested = Event<
  'WebhookCallRequested',
  {
    readonly callId: string;
    readonly purpose: WebhookPurpose;
    /** From 1. */
    readonly attempt: number;
    /** How long to wait before the call, because of the attempt before. */
    readonly delayMs: number;
    readonly timeoutMs: number;
    readonly url: string;
    /** The object that goes over the wire: the context and the exemplars of the start event. */
    readonly requestBody: ProposerContext;
  }
>;

/** A reply came, whatever its status. */
export type WebhookCallCompleted = Event<'WebhookCallCompleted', LlmCallCompleted['data']>;

/** No whole reply came, or none was asked for because the address is refused. */
export type WebhookCallFailed = Event<
  'WebhookCallFailed',
  {
    readonly callId: string;
    readonly failure: ActivityFailure;
    /** Absent where no reply began to come. */
    readonly received?: ReceivedReply;
  }
>;

export type SolicitationSucceeded = Event<
  'SolicitationSucceeded',
  Choice & ArgumentFindings & { readonly rung: 'strategy' | 'decision' | CallRung }
>;

/** Usage of the calls before it stays in their events. `costUSD` is that of all of them; absent where no price is known. */
export type SolicitationFailed = Event<
  'SolicitationFailed',
  { readonly failure: SolicitationFailure; readonly costUSD?: number }
>;

export type SolicitationEvent =
  | SolicitationStarted
  | LlmCallRequested
  | LlmCallCompleted
  | LlmCallFailed
  | ContextRequested
  | ContextCompleted
  | ContextFailed
  | StrategyCallRequested
  | StrategyCallCompleted
  | StrategyCallFailed
  | WebhookCallRequested
  | WebhookCallCompleted
  | WebhookCallFailed
  | FallbackTaken
  | SolicitationSucceeded
  | SolicitationFailed;

/** Those of calls of models are declared with the activity. */
export const solicitationEventDefinitions: EventDefinitions<
  Exclude<SolicitationEvent, { type: `LlmCall${string}` }>
> = {
  SolicitationStarted: { version: 1 },
  ContextRequested: { version: 1 },
  ContextCompleted: { version: 1 },
  ContextFailed: { version: 1 },
  StrategyCallRequested: { version: 1 },
  StrategyCallCompleted: { version: 1 },
  StrategyCallFailed: { version: 1 },
  WebhookCallRequested: { version: 1 },
  WebhookCallCompleted: { version: 1 },
  WebhookCallFailed: { version: 1 },
  FallbackTaken: { version: 1 },
  SolicitationSucceeded: { version: 1 },
  SolicitationFailed: { version: 1 },
};
