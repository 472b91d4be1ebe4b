// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event, JsonObject } from '#lib/kernel';
import type { Agent } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import type { Compaction, TurnFailure, TurnResult } from '../turn/turn-result.js';

export type ConversationStarted = Event<
  'ConversationStarted',
  {
    readonly conversationId: string;
    readonly agentName: string;
    readonly agentVersion: number;
    readonly agentHash: string;
    /** The definition that all turns follow. */
    readonly agent: Agent;
    /** With the initial data of the agent. */
    readonly data: JsonObject;
    readonly context?: JsonObject;
  }
>;

/** A message of the user. The id of the turn is that of its run. */
export type TurnRequested = Event<
  'TurnRequested',
  { readonly turnId: string; readonly text: string; readonly context?: JsonObject }
>;

/** The result of the run of a turn. */
export type TurnTaken = Event<'TurnTaken', { readonly turnId: string } & Omit<TurnResult, 'compaction'>>;

/** A turn that changed nothing. */
export type TurnFailed = Event<
  'TurnFailed',
  { readonly turnId: string; readonly failure: TurnFailure } & Partial<Pick<TurnResult, 'llmCalls' | 'usage'>>
>;

/** Applied first in the next turn, in place of one that was dispatched before. */
export type DirectiveDispatched = Event<'DirectiveDispatched', { readonly directive: Directive }>;

/** The summary that later turns read in place of earlier turns, whose events stay. */
export type HistoryCompacted = Event<'HistoryCompacted', Compaction>;

/** The events of a stream of the category `conversation`. */
export type ConversationEvent =
  ConversationStarted | TurnRequested | TurnTaken | HistoryCompacted | TurnFailed | DirectiveDispatched;

export const conversationEventDefinitions: EventDefinitions<ConversationEvent> = {
  ConversationStarted: { version: 1 },
  TurnRequested: { version: 1 },
  TurnTaken: { version: 1 },
  HistoryCompacted: { version: 1 },
  TurnFailed: { version: 1 },
  DirectiveDispatched: { version: 1 },
};
