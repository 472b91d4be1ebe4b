import type { Json, JsonObject } from '#lib/kernel';
import type { RulesAt, ToolFact } from '#lib/runs/tools/core';
import type { Agent } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import type { FlowPosition } from './turn-result.js';

export type HistoryMessage = { readonly role: 'user' | 'assistant'; readonly content: string };

/** The part of a conversation that a turn uses. */
export interface TurnConversation {
  readonly agent: Agent;
  readonly data: JsonObject;
  readonly context: JsonObject;
  readonly position?: FlowPosition;
  /** Ids of flows that were completed at least once. */
  readonly completedFlows: readonly string[];
  readonly pendingDirective?: Directive;
  /** Without what was summarised or left out. */
  readonly history: readonly HistoryMessage[];
  /** The summary of the turns before the history, and its revision in the conversation. */
  readonly summary?: { readonly text: string; readonly revision: number };
  /** The revisions of the turns in the history. Absent if the agent does not compact. */
  readonly revisions?: readonly number[];
  /** The signals that have fired, by id. */
  readonly signals: { readonly [signalId: string]: { readonly count: number; readonly lastAt: string } };
  /** When the turn was requested, ISO 8601. */
  readonly now: string;
}

export interface TurnGiven extends TurnConversation, RulesAt {
  readonly conversationId: string;
  readonly text: string;
  /** In the versions that the turn began with. */
  readonly tools: readonly ToolFact[];
}

/** The values that predicates and templates see. */
export type TurnValues = {
  readonly data: JsonObject;
  readonly context: JsonObject;
  readonly session: {
    readonly currentFlow: Json;
    readonly currentStep: Json;
    /** In a turn in which the router gave some. */
    readonly routingExtras?: Json;
  };
  readonly history: readonly HistoryMessage[];
};
