import { present } from '#lib/kernel';
import type { BudgetMax } from '../budget-check.rules.js';
import type { ModelParameters } from '../model-parameters.js';
import { addUsage, type Usage } from '../usage.js';
import { usageCost } from '../price.js';
import type { LlmCallCompleted } from '../llm/llm-call.events.js';
import type { Reply } from '../read-reply.js';
import type { BudgetOfCalls } from './budget.rules.js';
import type { ModelRoute } from './model-route.js';

/** A family's request to a model. */
export interface ModelAsk {
  /** Made from the place in the history, and the same for every attempt. */
  readonly callId: string;
  /** The model, then its backups, in order. At least one. */
  readonly routes: readonly ModelRoute[];
  /** The seed of the run. It spreads the waits of runs whose calls have the same ids. */
  readonly seed: string;
  readonly modelParameters?: ModelParameters;
  /** True if the question is useless without tools. */
  readonly needsTools?: boolean;
  /** Checked before each request. */
  readonly budget?: BudgetOfCalls;
  /** The most that this ask may spend. It is checked before each further attempt. */
  readonly limit?: BudgetMax;
}

/** The cost of the calls so far. */
export interface Spent {
  readonly latencyMs: number;
  /** A member is absent until a reply reports it. */
  readonly usage: Usage;
  /** The cost of the calls whose price and usage are known; absent until there is one. */
  readonly costUSD?: number;
}

/** The usage of a run before its first call. */
export const NOTHING_SPENT: Spent = { latencyMs: 0, usage: {} };

/** The cost of one call. */
export function spentOn(
  { durationMs: latencyMs }: LlmCallCompleted['data'],
  { usage = {} }: Reply,
  { price }: ModelRoute,
): Spent {
  const costUSD = usageCost(price, usage);
  return { latencyMs, usage, ...(costUSD !== undefined && { costUSD }) };
}

/** The sum of two amounts. */
export function addSpent(one: Spent, other: Spent): Spent {
  const costs = [one.costUSD, other.costUSD].filter((cost) => cost !== undefined);
  return {
    latencyMs: one.latencyMs + other.latencyMs,
    usage: addUsage(one.usage, other.usage),
    ...(costs.length > 0 && { costUSD: costs.reduce((total, cost) => total + cost, 0) }),
  };
}

/** Whether a run has spent its limit. It is checked before each further call. Usage that no reply reported counts as 0. */
export function isSpent(
  { maxTokens = Infinity, maxUSD = Infinity }: BudgetMax = {},
  { usage, costUSD = 0 }: Spent,
): boolean {
  const { promptTokens = 0, completionTokens = 0 } = usage;
  return promptTokens + completionTokens >= maxTokens || costUSD >= maxUSD;
}

/** The cost in members of a proposal, because a run may be the proposer of a session. */
export function spentMembers({ usage: { promptTokens, completionTokens }, costUSD }: Spent) {
  return present({ numInputTokens: promptTokens, numOutputTokens: completionTokens, costUSD });
}
