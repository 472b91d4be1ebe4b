import type { ActivityFailure } from '#lib/workflow';
import type { BudgetChecked, BudgetCheckFailed, BudgetCheckRequested } from '../budget-check.rules.js';
import type { LlmCallCompleted, LlmCallFailed, LlmCallRequested } from '../llm/llm-call.events.js';
import { readReply } from '../read-reply.js';
import type { Event } from '#lib/kernel';
import { MOST_INTERRUPTIONS, NotDerived, type Seen, type Step } from '#lib/workflow';
import { budgetCheck, type BudgetOfCalls, budgetRefusal } from './budget.rules.js';
import { corrected, knownRefusal, skipped } from './corrections.rules.js';
import type { ModelFallback } from './model-call.events.js';
import { type ModelCallState, type Phase, routeOf } from './model-call.state.js';
import { callInput, type ModelRequest } from './model-request.js';
import { addSpent, type ModelAsk, NOTHING_SPENT, spentOn } from './spent.js';
import {
  backoffMs,
  classifyFailure,
  classifyReply,
  type ClassifiedOutcome,
  LONGEST_WAIT_MS,
} from './model-retries.rules.js';
import type { ModelRoute } from './model-route.js';

/** The state of a call before its first attempt. */
export function beginModelCall(ask: ModelAsk): ModelCallState {
  const none = { failures: 0, interruptions: 0, checks: 0, sent: [], spent: NOTHING_SPENT };
  return calling({ attempt: 1, phase: { at: 'calling' }, ...none, ...ask });
}

/** Total: an event that is of no step of this call changes nothing. */
export function evolveModelCall(call: ModelCallState, event: Seen): ModelCallState {
  const { phase } = call;
  const { stepId, callId } = event.data as { stepId?: string; callId?: string };
  if (phase.at === 'checking' && stepId === checkStep(call)) return checked(call, phase, event);
  if (phase.at === 'calling' && stepId === callStep(call)) return withOutcome(call, event);
  if (phase.at === 'waiting' && stepId === timerStep(call) && event.type === 'TimerFired')
    return calling(call);
  if (event.type === 'FallbackTaken' && callId === call.callId)
    return fellBack(call, event.data as ModelFallback['data']);
  return call;
}

function fellBack(call: ModelCallState, data: ModelFallback['data']): ModelCallState {
  const { phase } = call;
  if (phase.at === 'falling-back') return calling({ ...call, routes: phase.routes });
  return phase.at === 'calling' || phase.at === 'checking' ? skipped(call, data) : call;
}

/**
 * The next steps; none while a request is open, and once there is a completion or a failure.
 * @param request what is asked of this model
 */
export function modelCallSteps(
  call: ModelCallState,
  request: (route: ModelRoute) => ModelRequest,
): readonly Step<ModelFallback>[] {
  const { phase } = call;
  switch (phase.at) {
    case 'checking':
    case 'calling':
      return call.sent.length > 0 ? [] : [requestStep(call, request(routeOf(call)))];
    case 'waiting':
      return [{ do: 'timer', id: timerStep(call), afterMs: phase.delayMs }];
    case 'falling-back':
      return [{ do: 'record', event: { type: 'FallbackTaken', data: phase.fallback } }];
    case 'not-derived':
      throw new NotDerived('reply');
    default:
      return [];
  }
}

/** The request, its check before, and before both what is known to be refused. */
function requestStep(call: ModelCallState, asked: ModelRequest): Step<ModelFallback> {
  const route = routeOf(call);
  const skip = knownRefusal(call, asked.body);
  if (skip) return { do: 'record', event: { type: 'FallbackTaken', data: skip } };
  if (call.phase.at === 'checking') {
    const input = budgetCheck(call.budget as BudgetOfCalls, route, asked.body);
    return { do: 'call', id: checkStep(call), activity: 'budget', input };
  }
  const input = callInput(route, call.attempt, asked);
  return { do: 'call', id: callStep(call), activity: 'llm', input };
}

function withOutcome(call: ModelCallState, event: Event & { readonly occurredAt: string }): ModelCallState {
  if (event.type === 'LlmCallFailed') {
    const data = event.data as LlmCallFailed['data'];
    const spent = addSpent(call.spent, { latencyMs: data.failure.durationMs, usage: {} });
    return after({ ...call, spent }, classifyFailure(data));
  }
  if (event.type === 'LlmCallRequested') {
    const { body } = event.data as LlmCallRequested['data'];
    return { ...call, sent: Object.keys(body) };
  }
  if (event.type !== 'LlmCallCompleted') return call;
  const data = event.data as LlmCallCompleted['data'];
  const reply = readReply(data);
  if (reply.kind === 'failed' && reply.isOverAllowance) return { ...call, phase: { at: 'not-derived' } };
  const next = { ...call, spent: addSpent(call.spent, spentOn(data, reply, routeOf(call))) };
  const outcome = classifyReply(data, reply, event.occurredAt);
  if (!('completion' in outcome)) return corrected(next, data) ?? after(next, outcome);
  return { ...next, phase: { at: 'answered', completion: outcome.completion, reply: data } };
}

type Failed = Extract<ClassifiedOutcome, { failure: unknown }>;

function after(call: ModelCallState, outcome: ClassifiedOutcome): ModelCallState {
  if ('completion' in outcome) return call;
  const { retry } = outcome;
  if (retry === 'unknown') return interrupted(call, outcome);
  const next = { ...call, failures: call.failures + 1 };
  const delayMs = retry === 'same-model' ? delayOf(next, outcome) : undefined;
  if (delayMs !== undefined) return again(next, delayMs);
  return retry === 'never' ? failed(next, outcome) : elsewhere(next, outcome);
}

/** How long to wait before the next attempt; `undefined` if there is none. */
function delayOf(call: ModelCallState, { retryAfterMs }: Failed): number | undefined {
  if (call.failures >= routeOf(call).maxAttempts) return undefined;
  if (retryAfterMs === undefined) return backoffMs(call.failures, `${call.seed} ${callStep(call)}`);
  return retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : undefined;
}

function again(call: ModelCallState, delayMs: number): ModelCallState {
  const next = { ...call, attempt: call.attempt + 1 };
  return delayMs > 0 ? { ...next, phase: { at: 'waiting', delayMs } } : calling(next);
}

/** The call may or may not have been made: asking a model twice is safe. */
function interrupted(call: ModelCallState, outcome: Failed): ModelCallState {
  const interruptions = call.interruptions + 1;
  if (interruptions >= MOST_INTERRUPTIONS) return failed(call, outcome);
  return { ...again(call, 0), interruptions };
}

function elsewhere(call: ModelCallState, outcome: Failed): ModelCallState {
  const [route, backup] = call.routes;
  if (!route || !backup) return failed(call, outcome);
  const { kind, upstreamStatus } = outcome.failure;
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

/** The request comes next: after a check if there is a budget. */
function calling(call: ModelCallState): ModelCallState {
  if (!call.budget) return { ...call, sent: [], phase: { at: 'calling' } };
  return { ...call, sent: [], checks: call.checks + 1, phase: { at: 'checking' } };
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
