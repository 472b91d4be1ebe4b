// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import { peopleMembers, type PeoplePolicy } from '#lib/candidates';
import { type ConversationPart, type ToolExecution, toolExecutionMembers } from '#lib/call-rules';
import type { DeclaredEvents } from '#lib/event-store';
import { type Event, isJsonObject, type JsonObject } from '#lib/kernel';

/** The calls that people allow, and the people who allow them. */
export type ToolApproval = PeoplePolicy & {
  /** An expression over `args`: people allow only calls for which it is not false. An expression that fails counts as true. Default: every call. */
  readonly if?: string;
};

/** The handling of a tool's calls. Every member is false or absent by default. */
export type ToolPolicy = {
  /** A call changes nothing. */
  readonly readOnly?: boolean;
  /** Two calls with the same `callId` have the effect of one. */
  readonly idempotent?: boolean;
  /** A call removes or overwrites data. */
  readonly destructive?: boolean;
  /** People allow each call, or the calls that the rule names. */
  readonly needsApproval?: boolean | ToolApproval;
  /** Calls may run at the same time as their neighbours. */
  readonly concurrencySafe?: boolean;
  /** Milliseconds for one attempt. Default 30,000. */
  readonly timeoutMs?: number;
  /** The most attempts while the network or the other side fails. Default 1. */
  readonly maxAttempts?: number;
  /** The most characters of a result's JSON text that a model gets. Default: all. */
  readonly maxResultChars?: number;
};

/** The definition of a tool. */
export type ToolBody = {
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** The JSON Schema of the result, for readers. */
  readonly result?: JsonObject;
  readonly execution: ToolExecution;
  readonly policy: ToolPolicy;
  /** The members of a conversation that the webhook gets. Default: none. */
  readonly sends?: readonly ConversationPart[];
};

export type ToolRegistered = Event<
  'ToolRegistered',
  { readonly toolId: string; readonly version: number } & ToolBody
>;

/** The events of a stream of the category `tool`. Its id is the tool's. */
export type ToolEvent = ToolRegistered;

const registeredMembers = {
  toolId: 'structure',
  version: 'structure',
  description: 'content',
  parameters: 'content',
  result: 'content',
  execution: toolExecutionMembers,
  policy: {
    readOnly: 'structure',
    idempotent: 'structure',
    destructive: 'structure',
    needsApproval: { ...peopleMembers, if: 'structure' },
    concurrencySafe: 'structure',
    timeoutMs: 'structure',
    maxAttempts: 'structure',
    maxResultChars: 'structure',
  },
  sends: 'structure',
} as const;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const toolEventDefinitions: DeclaredEvents<ToolEvent> = {
  ToolRegistered: {
    version: 2,
    members: registeredMembers,
    earlier: { 1: registeredMembers },
    upcasters: { 1: (data) => data },
    versionOf: ({ policy }) => (isJsonObject(policy) && isJsonObject(policy['needsApproval']) ? 2 : 1),
  },
};
