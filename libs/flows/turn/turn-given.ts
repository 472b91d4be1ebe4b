import type { Json, JsonObject } from '#lib/kernel';
import type { RulesAt, ToolFact } from '#lib/runs/tools/core';
import type { Agent } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import type { FlowPosition } from './turn-result.js';

export type HistoryMessage = { readonly role: 'user' | 'assistant'; readonly content: string };

/** The input of a turn from its conversation. */
export interface TurnConversation {
  readonly agent: Agent;
  readonly data: JsonObject;
  readonly context: JsonObject;
  readonly position?: FlowPosition;
  /** Ids of flows that were completed at least once. */
  readonly completedFlows: readonly string[];
  readonly pendingDirective?: Directive;
  /** Without compacted turns. */
  readonly history: readonly HistoryMessage[];
  /** The summary of the turns before the history, and its revision in the conversation. */
  readonly summary?: { readonly text: string; readonly revision: number };
  /** The revisions of the turns in the history. Absent without compaction. */
  readonly revisions?: readonly number[];
  /** The signals that have fired, by id. */
  readonly signals: { readonly [signalId: string]: { readonly count: number; readonly lastAt: string } };
  /** The time of the turn's request, ISO 8601. */
  readonly now: string;
}

export interface TurnGiven extends TurnConversation, RulesAt {
  readonly conversationId: string;
  readonly text: string;
  /** In the versions of the turn's start. */
  readonly tools: readonly ToolFact[];
}

/** The values for predicates and templates. */
export type TurnValues = {
  readonly data: JsonObject;
  readonly context: JsonObject;
  readonly session: {
    readonly currentFlow: Json;
    readonly currentStep: Json;
    /** Present in a turn whose router gave extras. */
    readonly routingExtras?: Json;
  };
  readonly history: readonly HistoryMessage[];
};
