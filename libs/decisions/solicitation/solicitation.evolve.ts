import type { ActivityFailure } from '#lib/workflow';
import {
  delayBefore,
  type FunctionCallCompleted,
  MOST_INTERRUPTIONS,
  type RefusedReply,
  type WebhookCallCompleted,
} from '#lib/call-rules';
import type { Event, Json, JsonObject } from '#lib/kernel';
import { isEnriched } from '#lib/decisions/machines';
import {
  addSpent,
  beginModelCall,
  type BudgetOfCalls,
  evolveModelCall,
  type ModelCallState,
  NOTHING_SPENT,
  takesTools,
} from '#lib/call-rules';
import type { ProposerContext, SolicitationFailure } from '#lib/decisions/session';
import type { ChildEnded, ChildStarted, Seen, TimerFired, WorkflowStarted } from '#lib/workflow';
import { activityFailure, failureKind } from './activity-failure.js';
import { readWebhookReply, type WebhookReply } from './read-webhook-reply.js';
import { type CallRung, type FallbackTaken, isLadderStep } from './solicitation.events.js';
import type { CallName, SolicitationState, Stage } from './solicitation.state.js';

export function startSolicitation({ data }: Seen<WorkflowStarted>, context?: Json): SolicitationState {
  const input = { ...(data.input as JsonObject), ...data.facts } as JsonObject & SolicitationState['input'];
  const given = context as JsonObject & ProposerContext;
  const state: SolicitationState = {
    version: data.version,
    input,
    context: input.exemplars.length > 0 ? { ...given, exemplars: input.exemplars } : given,
    stage: { at: 'call', call: 'strategy', attempt: 1 },
    routes: input.proposer.kind === 'model' ? input.proposer.routes : [],
    interruptions: 0,
    spent: NOTHING_SPENT,
  };
  if (input.proposer.kind === 'workflow') return { ...state, stage: { at: 'child', asked: input.proposer } };
  if (input.proposer.kind !== 'model') return state;
  if ('contextTemplate' in input.proposer.context) return asking(state, firstRung(state));
  return { ...state, stage: called('context') };
}

/** Total: an outcome of another call than the one that is made now changes nothing. */
export function evolveSolicitation(state: SolicitationState, event: Seen): SolicitationState {
  const { stage } = state;
  if (stage.at === 'asking') return asked(state, stage, evolveModelCall(stage.call, event));
  switch (event.type) {
    case 'FallbackTaken':
      return fellBack(state, event as FallbackTaken);
    case 'TimerFired':
      return waited(state, event as TimerFired);
    case 'ChildStarted':
      return childStarted(state, event as Seen<ChildStarted>);
    case 'ChildEnded':
      return worked(state, event as Seen<ChildEnded>);
    case 'WebhookCallCompleted':
    case 'FunctionCallCompleted':
    case 'WebhookCallFailed':
    case 'FunctionCallFailed':
      return answered(state, event as Outcome);
    default:
      return state;
  }
}

type Outcome = Seen<Event<string, { readonly stepId: string }>>;
type Calling = Extract<Stage, { at: 'call' }>;

/** Attempt n of a call is the step `<call>#<n>`. */
export function stepIdOf({ call, attempt }: { readonly call: CallName; readonly attempt: number }): string {
  return `${call}#${attempt}`;
}

function firstRung({ input, routes: [model], context: { transitions } }: SolicitationState): CallRung {
  const { proposer } = input;
  if (proposer.kind === 'model' && proposer.modelParameters?.responseFormat) return 'structured';
  const offers = model !== undefined && takesTools(model) && Object.values(transitions).some(isEnriched);
  return offers ? 'tools' : 'text';
}

function called(call: CallName, attempt = 1): Calling {
  return { at: 'call', call, attempt };
}

/** A model is asked on a rung. */
function asking(state: SolicitationState, rung: CallRung): SolicitationState {
  const { input, routes } = state;
  const { sessionId, roundId, specialistId } = input;
  const seed = `${sessionId} ${roundId} ${specialistId}`;
  const budget = budgetOf(input);
  const call = beginModelCall({
    callId: rung,
    routes,
    seed,
    ...(budget && { budget }),
  });
  return { ...state, stage: { at: 'asking', rung, call } };
}

function budgetOf(input: SolicitationState['input']): BudgetOfCalls | undefined {
  const { proposer, sessionId, machineName, specialistId } = input;
  if (proposer.kind !== 'model' || !proposer.budget) return undefined;
  return { ...proposer.budget, sessionId, machineName, specialistId };
}

function asked(
  state: SolicitationState,
  stage: Extract<Stage, { at: 'asking' }>,
  call: ModelCallState,
): SolicitationState {
  if (call === stage.call) return state;
  const { rung } = stage;
  const { phase, routes } = call;
  if (phase.at !== 'answered' && phase.at !== 'failed') return { ...state, stage: { ...stage, call } };
  const spent = { ...state, routes, spent: addSpent(state.spent, call.spent) };
  if (phase.at === 'answered')
    return { ...spent, stage: { at: 'replied', rung, completion: phase.completion } };
  const { kind, ...failure } = phase.failure;
  return { ...spent, stage: { at: 'failed', failure: { ...failure, kind: failureKind(kind) } } };
}

function answered(state: SolicitationState, outcome: Outcome): SolicitationState {
  const { stage } = state;
  if (stage.at !== 'call' || stepIdOf(stage) !== outcome.data.stepId) return state;
  if ('failure' in outcome.data) {
    const { failure } = outcome.data as { failure: ActivityFailure };
    return unanswered(state, stage, failure);
  }
  if (outcome.type === 'FunctionCallCompleted')
    return returned(state, stage, (outcome as Outcome & FunctionCallCompleted).data);
  return webhookAnswered(state, stage, outcome as Outcome & WebhookCallCompleted);
}

function unanswered(state: SolicitationState, stage: Calling, failure: ActivityFailure): SolicitationState {
  const { kind, retryable, retryAfterMs, durationMs } = failure;
  const next = withLatency(state, stage, durationMs);
  if (kind === 'interrupted') return interrupted(next, stage, failure);
  const after = retryAfterMs !== undefined && { retryAfterMs };
  return again(next, stage, { failure: activityFailure(failure), retryable, ...after });
}

/** The call may or may not have been made: it is made again if that is safe. */
function interrupted(
  state: SolicitationState,
  { call, attempt }: Calling,
  failure: ActivityFailure,
): SolicitationState {
  const interruptions = state.interruptions + 1;
  if (failure.retryable && interruptions < MOST_INTERRUPTIONS)
    return { ...state, interruptions, stage: called(call, attempt + 1) };
  return { ...state, stage: { at: 'failed', failure: activityFailure(failure) } };
}

/** Calls for the context do not count. */
function withLatency(state: SolicitationState, { call }: Calling, durationMs: number): SolicitationState {
  if (call === 'context') return state;
  return { ...state, spent: addSpent(state.spent, { latencyMs: durationMs, usage: {} }) };
}

type Unanswered = Pick<RefusedReply, 'retryable' | 'retryAfterMs'> & {
  readonly failure: SolicitationFailure;
};

/** The next attempt, if one is left and the failure allows it. */
function again(
  state: SolicitationState,
  { call, attempt }: Calling,
  { failure, retryable, retryAfterMs }: Unanswered,
): SolicitationState {
  const failures = attempt - state.interruptions;
  if (!retryable || failures >= state.input.policies.maxAttempts) {
    return { ...state, stage: { at: 'failed', failure } };
  }
  const next = called(call, attempt + 1);
  const afterMs = delayBefore(failures + 1, retryAfterMs);
  return { ...state, stage: afterMs > 0 ? { ...next, at: 'delay', afterMs } : next };
}

function waited(state: SolicitationState, { data }: TimerFired): SolicitationState {
  const { stage } = state;
  if (stage.at !== 'delay' || delayIdOf(stage) !== data.stepId) return state;
  return { ...state, stage: called(stage.call, stage.attempt) };
}

/** The time before an attempt is a timer of its own. */
export function delayIdOf(stage: { readonly call: CallName; readonly attempt: number }): string {
  return `${stepIdOf(stage)}-delay`;
}

function childStarted(
  state: SolicitationState,
  { occurredAt: since }: Seen<ChildStarted>,
): SolicitationState {
  return state.stage.at === 'child' ? { ...state, stage: { ...state.stage, since } } : state;
}

/** The time that the workflow took counts whole, even if it waited for a person. */
function worked(
  state: SolicitationState,
  { occurredAt, data: { stepId: _s, runId: _r, ...end } }: Seen<ChildEnded>,
): SolicitationState {
  const { stage } = state;
  if (stage.at !== 'child' || stage.since === undefined) return state;
  const latencyMs = Math.max(0, Date.parse(occurredAt) - Date.parse(stage.since));
  return { ...state, spent: { latencyMs, usage: {} }, stage: { at: 'worked', asked: stage.asked, end } };
}

function returned(
  state: SolicitationState,
  stage: Calling,
  { result, durationMs }: FunctionCallCompleted['data'],
): SolicitationState {
  const spent = withLatency(state, stage, durationMs);
  if (stage.call !== 'context') return { ...spent, stage: { at: 'chosen', result } };
  if (typeof result === 'string') return withContext(spent, result);
  const type = result === null ? 'null' : `a ${typeof result}`;
  const message = `A context function must return text; it returned ${type}.`;
  return { ...spent, stage: { at: 'failed', failure: { kind: 'function', message } } };
}

function webhookAnswered(
  state: SolicitationState,
  stage: Calling,
  { data, occurredAt }: Seen<WebhookCallCompleted>,
): SolicitationState {
  const spent = withLatency(state, stage, data.durationMs);
  const purpose = stage.call === 'context' ? 'context' : 'strategy';
  const reply: WebhookReply = readWebhookReply(purpose, data, occurredAt);
  if (reply.kind === 'failed') return again(spent, stage, reply);
  if (reply.kind === 'context') return withContext(spent, reply.text);
  return { ...spent, stage: { at: 'chosen', result: reply.result } };
}

function withContext(state: SolicitationState, contextText: string): SolicitationState {
  return asking({ ...state, contextText }, firstRung(state));
}

function fellBack(state: SolicitationState, { data }: FallbackTaken): SolicitationState {
  const { stage } = state;
  if (!isLadderStep(data)) return state;
  if (data.to === 'text') return asking(state, 'text');
  if (stage.at !== 'replied' && stage.at !== 'decision') return state;
  const { completion } = stage;
  const rung = stage.at === 'decision' ? stage.after : stage.rung;
  if (data.to === 'decision')
    return { ...state, stage: { at: 'decision', completion, after: rung === 'reask' ? 'reask' : 'tools' } };
  if (rung === 'reask') return state;
  const { content, toolCall: call } = completion;
  const refused = { rung, content, ...(call && { call }), errors: data.argumentErrors ?? [] };
  return asking({ ...state, refused }, 'reask');
}
