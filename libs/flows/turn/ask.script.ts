import {
  addSpent,
  askedModel,
  functionCalled,
  type LlmCallInput,
  modelBody,
  type ModelParameters,
  type ModelRoute,
  NOTHING_SPENT,
  readTurn,
} from '#lib/call-rules';
import { jsonText } from '#lib/kernel';
import {
  beginToolCall,
  changedArguments,
  resultOf,
  type ToolCallState,
  toolCalled,
} from '#lib/runs/tools/core';
import type { Steps, UnitAllowance } from '#lib/workflow';
import type { Answer, Ask, ModelAnswer, ToolAnswer } from './script.rules.js';

type ModelQuestion = Extract<Ask, { kind: 'model' }>;
type FunctionQuestion = Extract<Ask, { kind: 'function' }>;
type ToolQuestion = Extract<Ask, { kind: 'tool' }>;

/** The fact `model` of a turn. */
export interface TurnModel {
  /** The model, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
}

/** The outside calls of a turn, and their cost. Later calls of a model begin with the one that answered last. */
export class TurnAsks {
  spent = NOTHING_SPENT;
  #routes: readonly ModelRoute[];

  /** @param unit the allowance of the turn, for the check of arguments */
  constructor(
    private readonly model: TurnModel,
    private readonly parameters: ModelParameters | undefined,
    private readonly unit: UnitAllowance,
  ) {
    this.#routes = model.routes;
  }

  /** The arguments of a tool are checked at once, the rest comes when it is run. */
  begin(ask: Ask): Steps<Answer> {
    if (ask.kind === 'function') return functionAsked(ask);
    return ask.kind === 'tool' ? toolAsked(this.#checked(ask)) : this.#modelAsked(ask, this.#routes);
  }

  #checked({ refused, tool, kind: _, id: _id, ...asked }: ToolQuestion): ToolCallState {
    const call = beginToolCall(asked, tool, this.unit);
    return refused ? { ...call, phase: { at: 'rejecting', error: refused } } : call;
  }

  *#modelAsked(ask: ModelQuestion, routes: readonly ModelRoute[]): Steps<ModelAnswer> {
    const call = { callId: ask.id, routes, seed: this.model.seed };
    const asked = yield* askedModel(call, (route) => questionFor(ask, route, this.parameters));
    this.#routes = asked.routes;
    this.spent = addSpent(this.spent, asked.spent);
    if ('failed' in asked) return { failure: asked.failed };
    const { completion, reply } = asked.value;
    const { content, stopped } = completion;
    return { ...readTurn(reply, completion), content, reply: reply.stepId, ...(stopped && { stopped }) };
  }
}

function* toolAsked(call: ToolCallState): Steps<ToolAnswer> {
  const over = yield* toolCalled(call);
  const changed = changedArguments(over);
  return { result: resultOf(over) ?? NO_RESULT, ...(changed && { changed }) };
}

const NO_RESULT = { success: false, message: '' } as const;

function* functionAsked({ id, fnName, input }: FunctionQuestion): Steps<Answer> {
  const made = yield* functionCalled(`${id}#1`, { fnName, input });
  if ('value' in made) return { result: made.value };
  const { kind, message } = made.failed;
  return { failure: { kind, message } };
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
