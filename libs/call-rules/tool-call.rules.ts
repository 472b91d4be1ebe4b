// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents, DeclaredMembers } from '#lib/event-store';
import { type ActivityFailure, activityFailureMembers, type ActivityRules } from '#lib/workflow';
import type { Event, Json, JsonObject } from '#lib/kernel';
import {
  type AskedArguments,
  type AskedIn,
  askedInMembers,
  evolveArguments,
  noArguments,
  referringToReply,
} from './asked-arguments.rules.js';
import { inputOf } from './call-input.js';
import { type ReceivedReply, receivedReplyMembers } from './recorded-reply.js';

/** How a tool is executed. */
export type ToolExecution =
  | { readonly webhookUrl: string; readonly webhookTokenName?: string }
  | { readonly fnName: string }
  | { readonly mcpServer: string; readonly tool: string };

/** The input of a call, from its step. It holds no credentials. */
export type ToolCall = {
  /** The same for every attempt. */
  readonly callId: string;
  readonly toolId: string;
  readonly toolVersion: number;
  readonly arguments: JsonObject;
  /** As the model wrote them; absent if that is the JSON text of `arguments`. */
  readonly argumentsText?: string;
  /** The reply that asks for the call. */
  readonly argumentsFrom?: AskedIn;
  readonly execution: ToolExecution;
  /** Present if the call changes nothing, or may be made twice with the effect of once. */
  readonly safeToRepeat?: true;
  /** Milliseconds until the result must be there. */
  readonly timeoutMs: number;
  /** From 1. */
  readonly attempt: number;
};

/** The part of a call that a model gets, in the order of these members. */
export type ToolResult =
  | { readonly success: true; readonly message: string; readonly data?: Json }
  | { readonly success: false; readonly message: string };

/** A tool is about to be called. */
export type ToolCallRequested = Event<
  'ToolCallRequested',
  { readonly stepId: string } & Omit<ToolCall, 'arguments'> & {
      /** Absent if they are those of `argumentsFrom`: see `asked-arguments.rules.ts`. */
      readonly arguments?: JsonObject;
      readonly argumentsSha256?: string;
    }
>;

/** The tool gave a result. */
export type ToolCallCompleted = Event<
  'ToolCallCompleted',
  { readonly stepId: string; readonly result: ToolResult; readonly durationMs: number }
>;

/** The tool gave no result, or said that it failed. */
export type ToolCallFailed = Event<
  'ToolCallFailed',
  {
    readonly stepId: string;
    readonly failure: ActivityFailure;
    /** Absent if no reply of a webhook began to come. */
    readonly received?: ReceivedReply;
  }
>;

/** Derived. A call that a model asked for and that is not made: of an unknown tool, with arguments that do not fit. */
export type ToolCallRejected = Event<
  'ToolCallRejected',
  {
    readonly callId: string;
    readonly toolId: string;
    readonly toolVersion?: number;
    /** Absent if `argumentsFrom` names the reply that holds them. */
    readonly argumentsText?: string;
    readonly argumentsFrom?: AskedIn;
    readonly error: { readonly kind: string; readonly message: string };
  }
>;

export const toolExecutionMembers = {
  webhookUrl: 'structure',
  webhookTokenName: 'structure',
  fnName: 'structure',
  mcpServer: 'structure',
  tool: 'structure',
} as const satisfies DeclaredMembers<ToolExecution>;

const definitions: DeclaredEvents<ToolCallRequested | ToolCallCompleted | ToolCallFailed | ToolCallRejected> =
  {
    ToolCallRequested: {
      version: 1,
      members: {
        stepId: 'structure',
        callId: 'structure',
        toolId: 'structure',
        toolVersion: 'structure',
        arguments: 'content',
        argumentsText: 'content',
        argumentsFrom: askedInMembers,
        argumentsSha256: 'derived',
        execution: toolExecutionMembers,
        safeToRepeat: 'structure',
        timeoutMs: 'structure',
        attempt: 'structure',
      },
    },
    ToolCallCompleted: {
      version: 1,
      members: {
        stepId: 'structure',
        result: { success: 'structure', message: 'content', data: 'content' },
        durationMs: 'structure',
      },
    },
    ToolCallFailed: {
      version: 1,
      members: { stepId: 'structure', failure: activityFailureMembers, received: receivedReplyMembers },
    },
    ToolCallRejected: {
      version: 1,
      members: {
        callId: 'structure',
        // As the model wrote it: there may be no such tool.
        toolId: 'content',
        toolVersion: 'structure',
        argumentsText: 'content',
        argumentsFrom: askedInMembers,
        error: { kind: 'structure', message: 'content' },
      },
    },
  };

/** The events of tool calls, and how their outcomes are recorded. */
export const toolCallRules: ActivityRules<AskedArguments> = {
  name: 'tool',
  events: { requested: 'ToolCallRequested', completed: 'ToolCallCompleted', failed: 'ToolCallFailed' },
  definitions,
  memory: { begin: () => noArguments, evolve: evolveArguments },
  request: (input, known) => referringToReply(inputOf(input), known),
  checkIntegrity: () => undefined,
  isSafeToRepeat: ({ safeToRepeat }) => safeToRepeat === true,
};
