import type { ActivityEvent } from '#lib/workflow';
import { functionAnswer, type LlmCallInput } from '#lib/call-rules';
import { type Event, jsonText } from '#lib/kernel';
import type { ModelParameters } from '#lib/call-rules';
import {
  beginModelCall,
  evolveModelCall,
  modelBody,
  type ModelCallState,
  modelCallSteps,
  type ModelRoute,
  readTurn,
} from '#lib/call-rules';
import {
  beginToolCall,
  changedArguments,
  evolveToolCall,
  resultOf,
  type ToolCallState,
  toolCallSteps,
} from '#lib/runs/tools/core';
import type { RuntimeEvent, Seen, Step, UnitAllowance } from '#lib/workflow';
import type { Answer, Ask, ToolAnswer } from './script.rules.js';

type ModelQuestion = Extract<Ask, { kind: 'model' }>;
type FunctionQuestion = Extract<Ask, { kind: 'function' }>;
type ToolQuestion = Extract<Ask, { kind: 'tool' }>;

/** An ask that is open, and how far it has come. */
export type AskState =
  | { readonly ask: ModelQuestion; readonly call: ModelCallState }
  | { readonly ask: ToolQuestion; readonly tool: ToolCallState }
  | { readonly ask: FunctionQuestion; readonly answer?: Answer };

/** @param unit the allowance of the turn, for the check of arguments */
export function beginAsk(
  ask: Ask,
  routes: readonly ModelRoute[],
  seed: string,
  unit: UnitAllowance,
): AskState {
  if (ask.kind === 'function') return { ask };
  if (ask.kind === 'tool') {
    const { refused, tool, kind: _, id: _id, ...asked } = ask;
    const call = beginToolCall(asked, tool, unit);
    return { ask, tool: refused ? { ...call, phase: { at: 'rejecting', error: refused } } : call };
  }
  return { ask, call: beginModelCall({ callId: ask.id, routes, seed }) };
}

/** Total: an event that is of no step of this ask changes nothing. */
export function evolveAsk(state: AskState, event: Seen<Event | RuntimeEvent | ActivityEvent>): AskState {
  if ('call' in state) {
    const call = evolveModelCall(state.call, event);
    return call === state.call ? state : { ...state, call };
  }
  if ('tool' in state) return { ...state, tool: evolveToolCall(state.tool, event) };
  const answer = functionAnswer(functionStep(state.ask.id), event);
  return answer ? { ...state, answer } : state;
}

export function answerOf(state: AskState): Answer | undefined {
  if ('tool' in state) return toolAnswer(state.tool);
  if (!('call' in state)) return state.answer;
  const { phase } = state.call;
  if (phase.at === 'failed') return { failure: phase.failure };
  if (phase.at !== 'answered') return undefined;
  const { completion, reply } = phase;
  const { content, stopped } = completion;
  return { ...readTurn(reply, completion), content, reply: reply.stepId, ...(stopped && { stopped }) };
}

function toolAnswer(call: ToolCallState): ToolAnswer | undefined {
  const result = resultOf(call);
  const changed = changedArguments(call);
  return result && { result, ...(changed && { changed }) };
}

/** The next steps of an open ask. */
export function askSteps(state: AskState, parameters: ModelParameters | undefined): readonly Step[] {
  if ('call' in state)
    return modelCallSteps(state.call, (route) => questionFor(state.ask, route, parameters));
  if ('tool' in state) return toolCallSteps(state.tool);
  const { id, fnName, input } = state.ask;
  return [{ do: 'call', id: functionStep(id), activity: 'function', input: { fnName, input } }];
}

/** A provider that refused JSON Schemas is asked for JSON in the text. */
function questionFor(
  { purpose, schema, messages, tools = [] }: ModelQuestion,
  route: ModelRoute,
  parameters: ModelParameters | undefined,
): Pick<LlmCallInput, 'body' | 'labels'> {
  const labels = { purpose };
  if (route.corrected?.['response_format'] === undefined) {
    const format = { name: purpose, schema };
    return { labels, body: modelBody(route, { messages, tools, format }, parameters) };
  }
  const content = `Answer with one JSON object and nothing else. It fits this JSON Schema: ${jsonText(schema)}`;
  return {
    labels,
    body: modelBody(route, { messages: [...messages, { role: 'system', content }], tools }, parameters),
  };
}

function functionStep(id: string): string {
  return `${id}#1`;
}
