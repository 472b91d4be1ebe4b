import type { UsageTotals } from '#lib/call-rules';
import { type Json, type JsonObject, jsonText, ownMember, present } from '#lib/kernel';
import type { Directive } from '../agent/directive-definition.js';

export const STOPPED_REASONS = [
  'needs_input',
  'last_step',
  'completed',
  'aborted',
  'halt',
  'reply',
  'validation_error',
] as const;
export type StoppedReason = (typeof STOPPED_REASONS)[number];

/** The position of a conversation. */
export type FlowPosition = {
  readonly flowId: string;
  readonly stepId?: string;
  /** Reached after the model: the entry hooks of the flow, or of the step alone, have not run. */
  readonly toEnter?: 'flow' | 'step';
};

/** The entry or exit of a flow. A turn lists its moves in order. */
export type Move =
  | { readonly entered: string }
  | { readonly left: string; readonly reason: 'completed' | 'goto_flow' | 'aborted' };

/** An instruction in the model's prompt. */
export type AppliedInstruction = {
  readonly id: string;
  readonly scope: 'global' | 'flow' | 'step';
  /** The title of the flow (in turns of version 1 and 2 its id), or the id of the step. */
  readonly scopeRef?: string;
};

/** A call of a tool by the model or a hook. */
export type CalledTool = {
  readonly callId: string;
  readonly toolId: string;
  /** Absent if long: the tool calls of the run have them. */
  readonly arguments?: JsonObject;
  /** Present if a person replaced the model's arguments. */
  readonly argumentsChanged?: true;
  readonly status: 'completed' | 'failed';
};

/** A signal that fired. One whose handler failed may fire again. */
export type FiredSignal = {
  readonly signalId: string;
  readonly phase: 'pre' | 'post';
  /** The model's reason, `code-only` or `unconditional`. */
  readonly reason: string;
  readonly extracted?: Json;
  readonly handlerError?: string;
};

/** A directive that was applied or refused. */
export type ChainLink = {
  readonly source: string;
  readonly directive: Directive;
  /** The reason why it was not applied. */
  readonly refused?: string;
};

export type DataChanges = { readonly [name: string]: { readonly from?: Json; readonly to?: Json } };

/** The compaction of the history for later turns. */
export type Compaction = {
  /** With `drop_oldest` the sources are left out without a summary. */
  readonly strategy: 'auto_compact' | 'drop_oldest';
  /** Revisions of the replaced turns, and of the earlier summary. Their events stay in the conversation. */
  readonly sources: readonly number[];
  readonly summary?: string;
};

/** The result of a turn: its changes to the conversation. */
export type TurnResult = {
  readonly message: string;
  readonly stoppedReason: StoppedReason;
  readonly executedSteps: readonly {
    readonly flowId: string;
    readonly stepId: string;
    readonly kind: string;
  }[];
  readonly toolCalls: readonly CalledTool[];
  readonly appliedInstructions: readonly AppliedInstruction[];
  readonly triggeredSignals: readonly FiredSignal[];
  readonly directiveChain: readonly ChainLink[];
  readonly dataChanges: DataChanges;
  /** The router's answer by the `routingExtrasSchema` of the flow. */
  readonly routingExtras?: Json;
  /** The model's answer by the `responseOutputSchema` of the flow, without its message. */
  readonly output?: Json;
  readonly contextUpdate?: JsonObject;
  readonly moves: readonly Move[];
  /** Absent outside of flows. */
  readonly position?: FlowPosition;
  readonly status: 'open' | 'completed' | 'aborted';
  /** Applied first in the next turn. */
  readonly pendingDirective?: Directive;
  /** The conversation begins again: messages and the history of flows are cleared. */
  readonly isCleared?: true;
  readonly compaction?: Compaction;
  /** Step ids of the calls of models, in the order in which they were made. */
  readonly llmCalls: readonly string[];
  readonly usage: UsageTotals;
};

/** The reason why a turn left the conversation unchanged. */
export type TurnFailure = {
  readonly kind: string;
  readonly message: string;
  /** The HTTP status with which a provider refused a call. */
  readonly upstreamStatus?: number;
};

/** The members that differ; null is the same as absent. */
export function dataChanges(before: JsonObject, after: JsonObject): DataChanges {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...names].flatMap((name) => {
    const [from, to] = [ownMember(before, name), ownMember(after, name)];
    if (jsonText(from ?? null) === jsonText(to ?? null)) return [];
    return [[name, present({ from, to })] as const];
  });
  return Object.fromEntries(changes);
}
