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
  withCorrections,
} from '#lib/call-rules';
import { jsonText } from '#lib/kernel';
import {
  beginToolCall,
  changedArguments,
  resultOf,
  type ToolCallState,
  toolCalled,
} from '#lib/runs/tools/core';
import { type Steps, type UnitAllowance, until } from '#lib/workflow';
import type { FunctionAnswer, FunctionAsk, ModelAnswer, ModelAsk, ToolAnswer, ToolAsk } from './asks.js';

/** The fact `model` of a turn. */
export interface TurnModel {
  /** The model, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
}

/**
 * The outside calls of a turn, and their cost. Later calls of a model begin with the one that answered last: up to version 3 with the one
 * that was asked last, also after it failed. Asks that are made together go on
 * together, when all are answered.
 */
export class TurnAsks {
  spent = NOTHING_SPENT;
  #routes: readonly ModelRoute[];
  /** Asks without an answer. */
  #open = 0;
  /** The number of times that all open asks were answered. */
  #rounds = 0;

  /** @param unit the allowance of the turn, for the check of arguments */
  constructor(
    private readonly version: number,
    private readonly models: TurnModel,
    private readonly parameters: ModelParameters | undefined,
    private readonly unit: UnitAllowance,
  ) {
    this.#routes = models.routes;
  }

  model(ask: ModelAsk): Steps<ModelAnswer> {
    return this.#inStep(this.#modelAsked(ask));
  }

  tool(ask: ToolAsk): Steps<ToolAnswer> {
    return this.#inStep(this.#toolAsked(ask));
  }

  function(ask: FunctionAsk): Steps<FunctionAnswer> {
    return this.#inStep(functionAsked(ask));
  }

  *#inStep<One>(ask: Steps<One>): Steps<One> {
    this.#open++;
    const answer = yield* ask;
    const round = this.#rounds;
    if (--this.#open === 0) this.#rounds++;
    yield* until(() => this.#rounds > round);
    return answer;
  }

  #checked({ refused, tool, ...asked }: ToolAsk): ToolCallState {
    const call = beginToolCall(asked, tool, this.unit);
    return refused ? { ...call, phase: { at: 'rejecting', error: refused } } : call;
  }

  *#toolAsked(ask: ToolAsk): Steps<ToolAnswer> {
    const over = yield* toolCalled(this.#checked(ask));
    const changed = changedArguments(over);
    return { result: resultOf(over) ?? NO_RESULT, ...(changed && { changed }) };
  }

  *#modelAsked(ask: ModelAsk): Steps<ModelAnswer> {
    const call = { callId: ask.id, routes: this.#routes, seed: this.models.seed };
    const asked = yield* askedModel(call, (route) => questionFor(ask, route, this.parameters));
    const isInUse = 'value' in asked || this.version < 4;
    this.#routes = isInUse ? asked.routes : withCorrections(this.#routes, asked.routes);
    this.spent = addSpent(this.spent, asked.spent);
    if ('failed' in asked) return { failure: asked.failed };
    const { completion, reply } = asked.value;
    const { content, stopped } = completion;
    return { ...readTurn(reply, completion), content, reply: reply.stepId, ...(stopped && { stopped }) };
  }
}

const NO_RESULT = { success: false, message: '' } as const;

function* functionAsked({ id, fnName, input }: FunctionAsk): Steps<FunctionAnswer> {
  const made = yield* functionCalled(`${id}#1`, { fnName, input });
  if ('value' in made) return { result: made.value };
  const { kind, message } = made.failed;
  return { failure: { kind, message } };
}

/** After a provider refused JSON Schemas, the schema is in the text. */
function questionFor(
  { purpose, schema, messages, tools = [] }: ModelAsk,
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
