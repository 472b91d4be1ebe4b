// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import { type ActivityFailure, activityFailureMembers } from '#lib/workflow';
import type { Event, Json, JsonObject } from '#lib/kernel';
import type { ModelFallback } from '../models/model-call.events.js';
import {
  type ReceivedReply,
  receivedReplyBlanks,
  receivedReplyMembers,
  type RecordedReply,
  recordedReplyBlanks,
  recordedReplyMembers,
} from '../recorded-reply.js';
import { type PriceInForce, priceMembers } from '../price.js';
import { type Usage, usageMembers } from '../usage.js';

/** The provider of models that are named without a provider. No other provider has this name. */
export const DEFAULT_PROVIDER = 'default';

/** The request without its body. A type, not an interface, because it is part of the input of a step. */
export type LlmCallDetails = {
  /** The URL of the chat completions, without credentials. */
  readonly url: string;
  /** Milliseconds for the whole reply, from the connection to the last byte. */
  readonly timeoutMs: number;
  /** Milliseconds until the first byte of the reply, and between two of its parts. If absent, only `timeoutMs` bounds them. */
  readonly firstByteTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Default: `DEFAULT_PROVIDER`. */
  readonly provider?: string;
  /** From 1. */
  readonly attempt?: number;
  /** The workflow's label of this call: `{ rung: "tools" }`, `{ round: 2 }`. */
  readonly labels?: { readonly [label: string]: string | number };
  /** The names of tools that are sent under another name, by the sent name. */
  readonly toolNames?: { readonly [sent: string]: string };
  /** The price of the model when the run started. Absent if none is known. */
  readonly price?: PriceInForce;
};

/** The input of a step that calls a model, with the whole body as it is sent. */
export type LlmCallInput = LlmCallDetails & {
  readonly body: JsonObject & { readonly messages: readonly Json[] };
};

/**
 * One message of a request that no earlier request holds: the message itself, or the call whose outcome holds it. `reply`: the assistant message of
 * that call's reply. `result`: a tool message with the result of that call. `sha256`: a value that an earlier request holds. `literal`: a value that
 * would otherwise be read as one of these.
 */
export type MessageEntry =
  | Json
  | { readonly reply: string }
  | { readonly result: string; readonly tool_call_id: string }
  | { readonly sha256: string }
  | { readonly literal: Json };

/** The first messages of an earlier request, and the messages after them. */
export type MessagesDelta = {
  /** The step id of the earlier request; null if a new list begins. */
  readonly after: string | null;
  /** The number of its messages that are used; absent: all. */
  readonly first?: number;
  readonly add: readonly MessageEntry[];
};

/** A model is about to be called. */
export type LlmCallRequested = Event<
  'LlmCallRequested',
  LlmCallDetails & {
    readonly stepId: string;
    /** The members are in the order in which they are sent; see `llm-body.rules.ts`. Holds no credentials. */
    readonly body: JsonObject & { readonly messages: MessagesDelta };
    /** SHA-256 of the sent bytes. */
    readonly bodySha256: string;
  }
>;

/** A reply of any status was received. */
export type LlmCallCompleted = Event<
  'LlmCallCompleted',
  Omit<RecordedReply, 'requestHeaders'> & {
    readonly stepId: string;
    /** Absent if they are `USUAL_REQUEST_HEADERS`. */
    readonly requestHeaders?: RecordedReply['requestHeaders'];
    /** Milliseconds until the first part of the message in a streamed reply. */
    readonly firstTokenMs?: number;
    /** The usage that the reply reports. Present only in a run about a subject; it stays when the subject is erased. */
    readonly usage?: Usage;
  }
>;

/** The reply did not arrive whole. */
export type LlmCallFailed = Event<
  'LlmCallFailed',
  {
    readonly stepId: string;
    readonly failure: ActivityFailure;
    /** Absent if the process that sent the request is gone. */
    readonly requestHeaders?: { readonly [name: string]: string };
    /** Absent if no part of a reply arrived. */
    readonly received?: ReceivedReply;
  }
>;

/** The events of one call to a model. */
export type LlmCallEvent = LlmCallRequested | LlmCallCompleted | LlmCallFailed;

/** The step down the ladder of solicitations has the same event type. `LadderStep` there has its shape. */
type LadderMembers = { readonly argumentErrors?: readonly Json[]; readonly argumentErrorCount?: number };
type AnyFallback = Event<'FallbackTaken', ModelFallback['data'] & LadderMembers>;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const llmEventDefinitions = {
  LlmCallRequested: {
    version: 1,
    members: {
      stepId: 'structure',
      url: 'structure',
      timeoutMs: 'structure',
      firstByteTimeoutMs: 'structure',
      idleTimeoutMs: 'structure',
      provider: 'structure',
      attempt: 'structure',
      labels: 'structure',
      toolNames: 'structure',
      price: priceMembers,
      body: {
        model: 'structure',
        messages: { after: 'structure', first: 'structure', add: 'content' },
        '*': 'content',
      },
      bodySha256: 'derived',
    },
    blanks: { '/body/messages/add': [] },
  },
  LlmCallCompleted: {
    version: 1,
    members: {
      stepId: 'structure',
      ...recordedReplyMembers,
      firstTokenMs: 'structure',
      usage: usageMembers,
    },
    blanks: recordedReplyBlanks,
  },
  LlmCallFailed: {
    version: 1,
    members: {
      stepId: 'structure',
      failure: activityFailureMembers,
      requestHeaders: 'content',
      received: receivedReplyMembers,
    },
    blanks: receivedReplyBlanks,
  },
  FallbackTaken: {
    version: 1,
    members: {
      callId: 'structure',
      from: 'structure',
      to: 'structure',
      reason: 'structure',
      upstreamStatus: 'structure',
      learned: { provider: 'structure', model: 'structure' },
      argumentErrors: 'content',
      argumentErrorCount: 'structure',
    },
  },
} as const satisfies DeclaredEvents<LlmCallEvent | AnyFallback>;
