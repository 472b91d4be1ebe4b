import {
  addUsage,
  type BudgetCheck,
  type BudgetChecked,
  type BudgetCheckFailed,
  type BudgetCheckRequested,
  type Completion,
  type LlmCallCompleted,
  type LlmCallDetails,
  type LlmCallFailed,
  type LlmCallInput,
  type LlmCallRequested,
  MOST_INTERRUPTIONS,
  readReply,
  type Usage,
  usageCost,
} from '#lib/calls';
import type { ActivityFailure } from '#lib/activity';
import type { Event, JsonObject } from '#lib/kernel';
import type { Seen, Step } from '#lib/workflow';
import { budgetCheck, type BudgetOfCalls, budgetRefusal } from './budget.rules.js';
import type { ModelFallback } from './model-call.events.js';
import {
  backoffMs,
  judgeFailure,
  judgeReply,
  type Judgement,
  type ModelFailure,
} from './model-failure.rules.js';
import type { ModelRoute } from './model-route.js';
import { refusedMember } from './refused-member.rules.js';

/** A family's request to a model. */
export interface ModelAsk {
  /** From the place in the history: the same for every attempt. */
  readonly callId: string;
  /** The model, then its backups, in order. At least one. */
  readonly routes: readonly ModelRoute[];
  /** Of the run: spreads the waits of runs whose calls have the same ids. */
  readonly seed: string;
  /** Without tools the model need not be asked. */
  readonly needsTools?: boolean;
  /** Checked before each request. */
  readonly budget?: BudgetOfCalls;
}

/** The cost of the calls so far. */
export interface Spent {
  readonly latencyMs: number;
  /** A member stays absent until some reply reports it. */
  readonly usage: Usage;
  /** Over the calls whose price and usage are known; absent until one is. */
  readonly costUSD?: number;
}

type Phase =
  /** the budget; `check` once that is asked for */
  | { readonly at: 'checking'; readonly check?: BudgetCheck }
  | { readonly at: 'calling' }
  | { readonly at: 'waiting'; readonly delayMs: number }
  /** to these routes */
  | {
      readonly at: 'falling-back';
      readonly fallback: ModelFallback['data'];
      readonly routes: ModelAsk['routes'];
    }
  | {
      readonly at: 'answered';
      readonly completion: Completion;
      readonly reply: LlmCallCompleted['data'];
    }
  | { readonly at: 'failed'; readonly failure: ModelFailure };

/**
 * Asking a model until there is a completion: attempts, the waits between them, then its backups. All families embed this: they
 * make the body, and read the completion.
 */
export interface ModelCallState extends ModelAsk {
  /** Of the request that is open or comes next, over all models. */
  readonly attempt: number;
  /** Of the first of the routes. */
  readonly failures: number;
  readonly interruptions: number;
  /** Of the budget. */
  readonly checks: number;
  /** Members of the body of the open request. */
  readonly sent: readonly string[];
  readonly phase: Phase;
  readonly spent: Spent;
}

/** Longer waits are not waited for. */
export const LONGEST_WAIT_MS = 60_000;

export const NOTHING_SPENT: Spent = { latencyMs: 0, usage: {} };

export function beginModelCall(ask: ModelAsk): ModelCallState {
  const none = { failures: 0, interruptions: 0, checks: 0, sent: [], spent: NOTHING_SPENT };
  return calling({ ...ask, ...none, attempt: 1, phase: { at: 'calling' } });
}

/** The model that is asked now. */
export function routeOf({ routes }: Pick<ModelAsk, 'routes'>): ModelRoute {
  return routes[0] as ModelRoute;
}

/** Total: an event that is of no step of this call changes nothing. */
export function evolveModelCall(call: ModelCallState, event: Seen): ModelCallState {
  const { phase } = call;
  const { stepId, callId } = event.data as { stepId?: string; callId?: string };
  if (phase.at === 'checking' && stepId === checkStep(call)) return checked(call, phase, event);
  if (phase.at === 'calling' && stepId === callStep(call)) return judged(call, event);
  if (phase.at === 'waiting' && stepId === timerStep(call) && event.type === 'TimerFired')
    return calling(call);
  if (phase.at === 'falling-back' && event.type === 'FallbackTaken' && callId === call.callId)
    return calling({ ...call, routes: phase.routes });
  return call;
}

/**
 * The next steps; none once there is a completion or a failure.
 * @param request what is asked of this model
 */
export function modelCallSteps(
  call: ModelCallState,
  request: (route: ModelRoute) => Pick<LlmCallInput, 'body' | 'labels'>,
): readonly Step<ModelFallback>[] {
  const { phase } = call;
  switch (phase.at) {
    case 'checking': {
      const route = routeOf(call);
      const input = budgetCheck(call.budget as BudgetOfCalls, route, request(route).body);
      return [{ do: 'call', id: checkStep(call), activity: 'budget', input }];
    }
    case 'calling': {
      const route = routeOf(call);
      const input = { ...detailsOf(route, call), ...request(route) };
      return [{ do: 'call', id: callStep(call), activity: 'llm', input: input as JsonObject & LlmCallInput }];
    }
    case 'waiting':
      return [{ do: 'timer', id: timerStep(call), afterMs: phase.delayMs }];
    case 'falling-back':
      return [{ do: 'record', event: { type: 'FallbackTaken', data: phase.fallback } }];
    default:
      return [];
  }
}

export function addSpent(one: Spent, other: Spent): Spent {
  const costs = [one.costUSD, other.costUSD].filter((cost) => cost !== undefined);
  return {
    latencyMs: one.latencyMs + other.latencyMs,
    usage: addUsage(one.usage, other.usage),
    ...(costs.length > 0 && { costUSD: costs.reduce((total, cost) => total + cost, 0) }),
  };
}

function detailsOf(
  { url, provider, timeoutMs, price }: ModelRoute,
  { attempt }: ModelCallState,
): LlmCallDetails {
  return { url, provider, timeoutMs, attempt, ...(price && { price }) };
}

function judged(call: ModelCallState, event: Event & { readonly occurredAt: string }): ModelCallState {
  if (event.type === 'LlmCallFailed') {
    const data = event.data as LlmCallFailed['data'];
    const spent = addSpent(call.spent, { latencyMs: data.failure.durationMs, usage: {} });
    return after({ ...call, spent }, judgeFailure(data));
  }
  if (event.type === 'LlmCallRequested') {
    const { body } = event.data as LlmCallRequested['data'];
    return { ...call, sent: Object.keys(body) };
  }
  if (event.type !== 'LlmCallCompleted') return call;
  const data = event.data as LlmCallCompleted['data'];
  const next = { ...call, spent: addSpent(call.spent, spentOn(data, routeOf(call))) };
  const judgement = judgeReply(data, event.occurredAt);
  if (!('completion' in judgement)) return corrected(next, data) ?? after(next, judgement);
  return { ...next, phase: { at: 'answered', completion: judgement.completion, reply: data } };
}

function spentOn(data: LlmCallCompleted['data'], { price }: ModelRoute): Spent {
  const { usage = {} } = readReply(data);
  const costUSD = usageCost(price, usage);
  return { latencyMs: data.durationMs, usage, ...(costUSD !== undefined && { costUSD }) };
}

type Failed = Extract<Judgement, { failure: unknown }>;

function after(call: ModelCallState, judgement: Judgement): ModelCallState {
  if ('completion' in judgement) return call;
  const { hope } = judgement;
  if (hope === 'lost') return interrupted(call, judgement);
  const next = { ...call, failures: call.failures + 1 };
  const delayMs = hope === 'again' ? delayOf(next, judgement) : undefined;
  if (delayMs !== undefined) return again(next, delayMs);
  return hope === 'no' ? failed(next, judgement) : elsewhere(next, judgement);
}

/** How long to wait before the next attempt; `undefined` where there is none. */
function delayOf(call: ModelCallState, { retryAfterMs }: Failed): number | undefined {
  if (call.failures >= routeOf(call).maxAttempts) return undefined;
  if (retryAfterMs === undefined) return backoffMs(call.failures, `${call.seed} ${callStep(call)}`);
  return retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : undefined;
}

function again(call: ModelCallState, delayMs: number): ModelCallState {
  const next = { ...call, attempt: call.attempt + 1 };
  return delayMs > 0 ? { ...next, phase: { at: 'waiting', delayMs } } : calling(next);
}

/** Nobody knows whether the call was made: asking a model twice is safe. */
function interrupted(call: ModelCallState, judgement: Failed): ModelCallState {
  const interruptions = call.interruptions + 1;
  if (interruptions >= MOST_INTERRUPTIONS) return failed(call, judgement);
  return { ...again(call, 0), interruptions };
}

function elsewhere(call: ModelCallState, judgement: Failed): ModelCallState {
  const [route, backup] = call.routes;
  if (!route || !backup) return failed(call, judgement);
  const { kind, upstreamStatus } = judgement.failure;
  const fallback = {
    callId: call.callId,
    from: route.modelId,
    to: backup.modelId,
    reason: kind,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  };
  const phase = { at: 'falling-back', fallback, routes: call.routes.slice(1) } as const;
  return { ...call, attempt: call.attempt + 1, failures: 0, interruptions: 0, phase };
}

/** One attempt without the part that the provider refused; `undefined` when it refused nothing, or was corrected before. */
function corrected(call: ModelCallState, data: LlmCallCompleted['data']): ModelCallState | undefined {
  const route = routeOf(call);
  const correction = refusedMember(data, call.sent);
  if (!correction || route.corrected || (correction.member === 'tools' && call.needsTools)) return undefined;
  const { member, name, reason } = correction;
  const { callId, attempt } = call;
  const fallback = { callId, from: member, to: name ?? 'none', reason, upstreamStatus: data.status };
  const routes = [{ ...route, corrected: { [member]: name } }, ...call.routes.slice(1)];
  return { ...call, attempt: attempt + 1, phase: { at: 'falling-back', fallback, routes } };
}

/** The request comes next: after a check where there is a budget. */
function calling(call: ModelCallState): ModelCallState {
  if (!call.budget) return { ...call, phase: { at: 'calling' } };
  return { ...call, checks: call.checks + 1, phase: { at: 'checking' } };
}

function checked(
  call: ModelCallState,
  { check }: Extract<Phase, { at: 'checking' }>,
  { type, data }: Event,
): ModelCallState {
  if (type === 'BudgetCheckRequested')
    return { ...call, phase: { at: 'checking', check: data as BudgetCheckRequested['data'] } };
  if (type === 'BudgetCheckFailed') return unchecked(call, (data as BudgetCheckFailed['data']).failure);
  if (type !== 'BudgetChecked' || !check) return call;
  const refusal = budgetRefusal(check, (data as BudgetChecked['data']).spent);
  return refusal === undefined ? { ...call, phase: { at: 'calling' } } : overBudget(call, refusal);
}

/** Without its spending no call is made. */
function unchecked(call: ModelCallState, { kind, message }: ActivityFailure): ModelCallState {
  const interruptions = call.interruptions + 1;
  if (kind === 'interrupted' && interruptions < MOST_INTERRUPTIONS)
    return calling({ ...call, interruptions });
  return overBudget(call, `What was spent cannot be read: ${message}`);
}

function overBudget(call: ModelCallState, message: string): ModelCallState {
  return { ...call, phase: { at: 'failed', failure: { kind: 'budget', message } } };
}

function failed(call: ModelCallState, { failure }: Failed): ModelCallState {
  return { ...call, phase: { at: 'failed', failure } };
}

/** Attempt n is the step `<callId>#<n>`. */
function callStep({ callId, attempt }: ModelCallState): string {
  return `${callId}#${attempt}`;
}

function checkStep({ callId, checks }: ModelCallState): string {
  return `${callId}-budget#${checks}`;
}

function timerStep({ callId, attempt }: ModelCallState): string {
  return `${callId}-retry#${attempt}`;
}
