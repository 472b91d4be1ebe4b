// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents, DeclaredMembers } from '#lib/event-store';
import {
  type ActivityFailure,
  activityFailureMembers,
  type ActivityRules,
  type RunGiven,
} from '#lib/workflow';
import { type Event, isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import {
  argumentsOf,
  type AskedArguments,
  type AskedIn,
  askedInMembers,
  evolveArguments,
  noArguments,
  referringToReply,
} from './asked-arguments.rules.js';
import { inputOf } from './call-input.js';
import { type GivenPart, referred, referring } from './given-parts.rules.js';
import { type ReceivedReply, receivedReplyBlanks, receivedReplyMembers } from './recorded-reply.js';

/** The execution of a tool. */
export type ToolExecution =
  | { readonly webhookUrl: string; readonly webhookTokenName?: string }
  | { readonly fnName: string }
  | { readonly mcpServer: string; readonly tool: string };

/** The members of a conversation that its tools get. */
export const CONVERSATION_PARTS = ['data', 'context', 'history', 'conversationId'] as const;
/** The name of a member of a conversation that its tools get. */
export type ConversationPart = (typeof CONVERSATION_PARTS)[number];

/** The conversation at a call. A function gets all members; a webhook gets those that the tool's `sends` names. */
export type ToolConversation = {
  readonly data?: JsonObject;
  readonly context?: JsonObject;
  /** The messages of the previous turns. */
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly conversationId?: string;
};

/** The input of a call, from its step. It holds no credentials. */
export type ToolCall = {
  /** The same for every attempt. */
  readonly callId: string;
  readonly toolId: string;
  readonly toolVersion: number;
  readonly arguments: JsonObject;
  /** The arguments as the model wrote them; absent if that is the JSON text of `arguments`. */
  readonly argumentsText?: string;
  readonly argumentsFrom?: AskedIn;
  readonly execution: ToolExecution;
  /** Present if the call changes nothing, or if making it twice has the effect of making it once. */
  readonly safeToRepeat?: true;
  /** Milliseconds until the result must be there. */
  readonly timeoutMs: number;
  /** From 1. */
  readonly attempt: number;
  /** Absent outside of conversations, and if the tool gets no member of the conversation. */
  readonly conversation?: ToolConversation;
};

/** The part of a call that a model gets, in the order of these members. */
export type ToolResult =
  | { readonly success: true; readonly message: string; readonly data?: Json }
  | { readonly success: false; readonly message: string };

/** A tool is about to be called. */
export type ToolCallRequested = Event<
  'ToolCallRequested',
  { readonly stepId: string } & Omit<ToolCall, 'arguments' | 'conversation'> & {
      /** Absent if they are those of `argumentsFrom`: see `asked-arguments.rules.ts`. */
      readonly arguments?: JsonObject;
      readonly argumentsSha256?: string;
      /** Absent if it is made of the values that the run was given: see `given-parts.rules.ts`. */
      readonly conversation?: ToolConversation;
      readonly conversationFrom?: readonly GivenPart[];
      readonly conversationSha256?: string;
    }
>;

/** The tool gave a result. */
export type ToolCallCompleted = Event<
  'ToolCallCompleted',
  { readonly stepId: string; readonly result: ToolResult; readonly durationMs: number }
>;

/** The tool gave no result, or reported a failure. */
export type ToolCallFailed = Event<
  'ToolCallFailed',
  {
    readonly stepId: string;
    readonly failure: ActivityFailure;
    /** Absent if no part of a webhook's reply arrived. */
    readonly received?: ReceivedReply;
  }
>;

/** Derived. A call that a model asked for and that is not made, because its tool is unknown or its arguments do not fit. */
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

/** The reason why a call is refused after the time for its approval. */
export const NOT_ALLOWED_IN_TIME = 'Nobody allowed this call within its time';

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
        conversation: 'content',
        conversationFrom: 'content',
        conversationSha256: 'derived',
      },
      blanks: { '/arguments': {} },
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
      blanks: receivedReplyBlanks,
    },
    ToolCallRejected: {
      version: 1,
      members: {
        callId: 'structure',
        // The name as the model wrote it. There may be no such tool.
        toolId: 'content',
        toolVersion: 'structure',
        argumentsText: 'content',
        argumentsFrom: askedInMembers,
        error: { kind: 'structure', message: 'content' },
      },
    },
  };

/** The values that requests refer to: the arguments in replies, and the values that the run was given. */
export interface ToolCallMemory {
  readonly asked: AskedArguments;
  readonly given: RunGiven;
}

/** The events of tool calls, and how their outcomes are recorded. */
export const toolCallRules: ActivityRules<ToolCallMemory> = {
  name: 'tool',
  events: { requested: 'ToolCallRequested', completed: 'ToolCallCompleted', failed: 'ToolCallFailed' },
  definitions,
  memory: {
    begin: (given) => ({ asked: noArguments, given }),
    evolve: (memory, event) => {
      const asked = evolveArguments(memory.asked, event);
      return asked === memory.asked ? memory : { ...memory, asked };
    },
  },
  request: (input, { asked, given }) =>
    referring(referringToReply(inputOf(input), asked), 'conversation', given),
  checkIntegrity: () => undefined,
  isSafeToRepeat: ({ safeToRepeat }) => safeToRepeat === true,
};

/** The call that was requested. @throws TypeError if the log holds other arguments or another conversation than when the call was requested */
export function wholeToolCall(request: JsonObject, { asked, given }: ToolCallMemory): ToolCall {
  const conversation = referred(request, 'conversation', given);
  const whole = {
    ...request,
    ...argumentsOf(request, asked),
    ...(isJsonObject(conversation) && { conversation }),
  };
  return whole as object as ToolCall;
}
