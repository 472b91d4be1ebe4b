// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import {
  type ActivityFailure,
  activityFailureMembers,
  type ActivityRules,
  type RunGiven,
} from '#lib/workflow';
import type { Event, JsonObject } from '#lib/kernel';
import { inputOf } from './call-input.js';
import {
  checkBody,
  type ReceivedReply,
  receivedReplyBlanks,
  receivedReplyMembers,
  type RecordedReply,
  recordedReplyBlanks,
  recordedReplyMembers,
} from './recorded-reply.js';
import { givenMemory, type GivenPart, referring } from './given-parts.rules.js';

/** The input of a call, from its step. It holds no credentials. */
export type WebhookCall = {
  /** The purpose of the call: a choice, a context for a prompt, or the verdict of an arbiter. */
  readonly purpose: 'strategy' | 'context' | 'verdict';
  readonly url: string;
  readonly specialistId: string;
  /** The machine of the specialist. It is also the user of the Basic authentication. */
  readonly machineName: string;
  /** The name of the environment variable with the password. */
  readonly tokenName: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds until the whole reply must be there. */
  readonly timeoutMs: number;
  readonly requestBody: JsonObject;
};

/** A webhook is about to be called. */
export type WebhookCallRequested = Event<
  'WebhookCallRequested',
  { readonly stepId: string } & Omit<WebhookCall, 'requestBody'> & {
      /** Absent if the webhook gets the values that the run was given: see `given-parts.rules.ts`. */
      readonly requestBody?: JsonObject;
      readonly requestBodyFrom?: readonly GivenPart[];
      readonly requestBodySha256?: string;
    }
>;

/** A complete reply of any status was received. */
export type WebhookCallCompleted = Event<'WebhookCallCompleted', { readonly stepId: string } & RecordedReply>;

/** The webhook's reply did not arrive whole. */
export type WebhookCallFailed = Event<
  'WebhookCallFailed',
  {
    readonly stepId: string;
    readonly failure: ActivityFailure;
    /** Absent if no part of a reply arrived. */
    readonly received?: ReceivedReply;
  }
>;

const definitions: DeclaredEvents<WebhookCallRequested | WebhookCallCompleted | WebhookCallFailed> = {
  WebhookCallRequested: {
    version: 1,
    members: {
      stepId: 'structure',
      purpose: 'structure',
      url: 'structure',
      specialistId: 'structure',
      machineName: 'structure',
      tokenName: 'structure',
      attempt: 'structure',
      timeoutMs: 'structure',
      requestBody: 'content',
      requestBodyFrom: 'content',
      requestBodySha256: 'derived',
    },
    blanks: { '/requestBody': {} },
  },
  WebhookCallCompleted: {
    version: 1,
    members: { stepId: 'structure', ...recordedReplyMembers },
    blanks: recordedReplyBlanks,
  },
  WebhookCallFailed: {
    version: 1,
    members: { stepId: 'structure', failure: activityFailureMembers, received: receivedReplyMembers },
    blanks: receivedReplyBlanks,
  },
};

/** Webhooks of specialists. They only choose, so they are called again. */
export const webhookCallRules: ActivityRules<RunGiven> = {
  name: 'webhook',
  events: {
    requested: 'WebhookCallRequested',
    completed: 'WebhookCallCompleted',
    failed: 'WebhookCallFailed',
  },
  definitions,
  memory: givenMemory,
  request: (input, given) => referring(inputOf(input), 'requestBody', given),
  checkIntegrity: checkBody,
  isSafeToRepeat: () => true,
};
