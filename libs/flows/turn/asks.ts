import type { AssistantTurn, ChatTool, Completion, ToolResult } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import type { ToolCallAsked, ToolFact } from '#lib/runs/tools/core';
import type { TurnFailure } from './turn-result.js';

/** The purpose of a model call, also the name of its JSON Schema on the wire. */
export type Purpose = 'extract' | 'route' | 'condition' | 'signals' | 'respond' | 'choose_step' | 'compact';

/** Ids are derived from the place in the turn. */
export interface ModelAsk {
  readonly id: string;
  readonly purpose: Purpose;
  readonly schema: JsonObject;
  readonly messages: readonly Json[];
  readonly tools?: readonly ChatTool[];
}

export interface ToolAsk extends ToolCallAsked {
  /** Absent if no tool has that id. */
  readonly tool?: ToolFact;
  /** The reason why the call fails without being made. */
  readonly refused?: TurnFailure;
}

export interface FunctionAsk {
  readonly id: string;
  readonly fnName: string;
  readonly input: Json;
}

export type ModelAnswer =
  /** `content`: the text of the reply; `reply`: its step; `stopped`: the reason why it may be incomplete. */
  | (Omit<AssistantTurn, 'content'> & Pick<Completion, 'content' | 'stopped'> & { readonly reply: string })
  | { readonly failure: TurnFailure };
/** `changed`: a person's arguments in place of the model's. */
export type ToolAnswer = { readonly result: ToolResult; readonly changed?: JsonObject };
/** The result or failure of a call of a registered function. */
export type FunctionAnswer = { readonly result: Json } | { readonly failure: TurnFailure };
