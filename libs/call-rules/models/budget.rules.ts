import type { BudgetCheck, BudgetScope, Spending } from '../budget-check.rules.js';
import type { LlmCallInput } from '../llm/llm-call.events.js';
import { closedSchema } from '#lib/json-schema';
import { type JsonObject, jsonText, present, reject, type Rejection } from '#lib/kernel';
import type { ModelRoute } from './model-route.js';

/** The most that the calls of a model-driven specialist may use together. At least one maximum is set. */
export type Budget = {
  /** Tokens of input and output. */
  readonly maxTokens?: number;
  readonly maxUSD?: number;
  /** The calls that count: the next call alone, those in the session, or those of the UTC day. */
  readonly per: 'call' | 'session' | 'day';
};

/** The JSON Schema of a budget. */
export const budgetSchema: JsonObject = {
  type: 'object',
  properties: {
    maxTokens: { type: 'integer', minimum: 1 },
    maxUSD: { type: 'number', exclusiveMinimum: 0 },
    per: { enum: ['call', 'session', 'day'] },
  },
  required: ['per'],
  minProperties: 2,
  additionalProperties: false,
};

/** JSON Schema of the budget of a run. */
export const runBudgetSchema = closedSchema({
  maxTokens: { type: 'integer', minimum: 1 },
  maxUSD: { type: 'number', exclusiveMinimum: 0 },
});

/** A budget, and the calls that it applies to. */
export type BudgetOfCalls = BudgetScope & Budget;

const CHARACTERS_PER_TOKEN = 4;
const MILLION = 1_000_000;

/** The check before a call. The call may use one token for every four characters of its body, and as many as its reply may have. */
export function budgetCheck(
  { maxTokens, maxUSD, ...scope }: BudgetOfCalls,
  { price }: ModelRoute,
  body: LlmCallInput['body'],
): BudgetCheck {
  const input = Math.ceil(jsonText(body).length / CHARACTERS_PER_TOKEN);
  const output = outputLimit(body);
  const { inputPerMillion = 0, outputPerMillion = 0 } = price ?? {};
  const costUSD = (input * inputPerMillion + output * outputPerMillion) / MILLION;
  const max = present({ maxTokens, maxUSD });
  return { ...scope, max, estimate: { tokens: input + output, costUSD } };
}

function outputLimit({ max_tokens: older, max_completion_tokens: newer }: LlmCallInput['body']): number {
  const limit = newer ?? older;
  return typeof limit === 'number' ? limit : 0;
}

/** The reason why the call is not made; `undefined` if it is made. */
export function budgetRefusal(
  { per, max, estimate, specialistId }: BudgetCheck,
  spent: Spending,
): string | undefined {
  const { maxTokens = Infinity, maxUSD = Infinity } = max;
  const whose = `The budget of ${specialistId} per ${per}`;
  const tokens = exceeded(spent.tokens, estimate.tokens, maxTokens);
  if (tokens) return `${whose} is ${maxTokens} tokens: ${tokens}.`;
  const dollars = exceeded(spent.costUSD, estimate.costUSD, maxUSD);
  return dollars && `${whose} is ${maxUSD} US dollars: ${dollars}.`;
}

function exceeded(spent: number, next: number, max: number): string | undefined {
  if (spent >= max) return `${spent} are spent`;
  return spent + next > max ? `${spent} are spent, and the call may use ${next}` : undefined;
}

/** The refusal of a budget in US dollars if one of the models has no price. */
export function unpricedModel(
  routes: readonly ModelRoute[],
  budget: { readonly maxUSD?: number } = {},
): Rejection | undefined {
  const unknown = routes.find(({ price }) => price === undefined);
  if (budget.maxUSD === undefined || !unknown) return undefined;
  return reject('refused', 'budget', {
    errorClass: 'UnknownPrice',
    what: `the budget in US dollars for ${unknown.modelId}`,
    why: 'no price of this model is in force',
    fix: 'Add its price, or set a budget in tokens',
  });
}
