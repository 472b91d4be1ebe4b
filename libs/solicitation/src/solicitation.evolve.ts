import type { ActivityFailure } from '#lib/activity';
import {
  addUsage,
  delayBefore,
  type FailedReply,
  type FunctionCallCompleted,
  type LlmCallCompleted,
  readReply,
  type RecordedReply,
  usageCost,
} from '#lib/calls';
import type { Event, Json, JsonObject } from '#lib/kernel';
import type { ProposerContext, SolicitationFailure } from '#lib/session';
import type { ChildEnded, ChildStarted, Seen, TimerFired, WorkflowStarted } from '#lib/workflow';
import { activityFailure } from './activity-failure.js';
import { buildToolsFromTransitions } from './build-tools.js';
import { readWebhookReply, type WebhookReply } from './read-webhook-reply.js';
import type { CallRung, FallbackTaken, SolicitationInput } from './solicitation.events.js';
import type { CallName, SolicitationState, Stage } from './solicitation.state.js';

/** Interruptions of one call after which nobody asks again. */
const MOST_INTERRUPTIONS = 3;

export function startSolicitation({ data }: Seen<WorkflowStarted>, context?: Json): SolicitationState {
  const input = data.input as JsonObject & SolicitationInput;
  const told = context as JsonObject & ProposerContext;
  return {
    input,
    context: input.exemplars ? { ...told, exemplars: input.exemplars } : told,
    stage: firstStage(input, told),
    interruptions: 0,
    latencyMs: 0,
    usage: {},
  };
}

/** Total: an outcome of another call than the one that is made now changes nothing. */
export function evolveSolicitation(state: SolicitationState, event: Seen): SolicitationState {
  switch (event.type) {
    case 'FallbackTaken':
      return fellBack(state, event as FallbackTaken);
    case 'TimerFired':
      return waited(state, event as TimerFired);
    case 'ChildStarted':
      return asked(state, event as Seen<ChildStarted>);
    case 'ChildEnded':
      return worked(state, event as Seen<ChildEnded>);
    case 'LlmCallCompleted':
    case 'WebhookCallCompleted':
    case 'FunctionCallCompleted':
    case 'LlmCallFailed':
    case 'WebhookCallFailed':
    case 'FunctionCallFailed':
      return answered(state, event as Outcome);
    default:
      return state;
  }
}

type Outcome = Event<string, { readonly stepId: string }>;
type Calling = Extract<Stage, { at: 'call' }>;

/** Attempt n of a call is the step `<call>#<n>`. */
export function stepIdOf({ call, attempt }: { readonly call: CallName; readonly attempt: number }): string {
  return `${call}#${attempt}`;
}

function firstStage({ proposer }: SolicitationInput, context: ProposerContext): Stage {
  if (proposer.kind === 'workflow') return { at: 'child', asked: proposer };
  if (proposer.kind !== 'model') return called('strategy');
  if (!('contextTemplate' in proposer.context)) return called('context');
  return called(firstRung(proposer.useTools, context));
}

function firstRung(useTools: boolean, { transitions }: ProposerContext): CallRung {
  return useTools && buildToolsFromTransitions(transitions) !== null ? 'tools' : 'text';
}

function called(call: CallName, attempt = 1): Calling {
  return { at: 'call', call, attempt };
}

function answered(state: SolicitationState, outcome: Outcome): SolicitationState {
  const { stage } = state;
  if (stage.at !== 'call' || stepIdOf(stage) !== outcome.data.stepId) return state;
  if ('failure' in outcome.data) {
    const { failure } = outcome.data as { failure: ActivityFailure };
    return unanswered(state, stage, failure);
  }
  if (outcome.type === 'LlmCallCompleted') return replied(state, stage, outcome as LlmCallCompleted);
  if (outcome.type === 'FunctionCallCompleted')
    return returned(state, stage, (outcome as FunctionCallCompleted).data);
  return webhookAnswered(state, stage, outcome.data as Outcome['data'] & RecordedReply);
}

function unanswered(state: SolicitationState, stage: Calling, failure: ActivityFailure): SolicitationState {
  const { kind, retryable, retryAfterMs, durationMs } = failure;
  const interruptions = state.interruptions + (kind === 'interrupted' ? 1 : 0);
  const failed = {
    kind: 'failed',
    failure: activityFailure(failure),
    retryable: retryable && interruptions < MOST_INTERRUPTIONS,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  } as const;
  return again({ ...withLatency(state, stage, durationMs), interruptions }, stage, failed);
}

/** What makes the context does not count. */
function withLatency(state: SolicitationState, { call }: Calling, durationMs: number): SolicitationState {
  return call === 'context' ? state : { ...state, latencyMs: state.latencyMs + durationMs };
}

/** The next attempt, where one is left and the failure allows it. */
function again(
  state: SolicitationState,
  { call, attempt }: Calling,
  { failure, retryable, retryAfterMs }: FailedReply<SolicitationFailure>,
): SolicitationState {
  if (!retryable || attempt >= state.input.policies.maxAttempts) {
    return { ...state, stage: { at: 'failed', failure } };
  }
  const next = called(call, attempt + 1);
  const afterMs = delayBefore(next.attempt, retryAfterMs);
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

function replied(state: SolicitationState, stage: Calling, { data }: LlmCallCompleted): SolicitationState {
  const reply = readReply(data);
  const spent = {
    ...withLatency(state, stage, data.durationMs),
    usage: addUsage(state.usage, reply.usage),
    ...costAfter(state, usageCost(state.input.price, reply.usage)),
  };
  if (reply.kind === 'failed') return again(spent, stage, reply);
  return { ...spent, stage: { at: 'replied', rung: stage.call as CallRung, completion: reply } };
}

function costAfter({ costUSD = 0 }: SolicitationState, cost: number | undefined): { costUSD?: number } {
  return cost === undefined ? {} : { costUSD: costUSD + cost };
}

function asked(state: SolicitationState, { occurredAt: since }: Seen<ChildStarted>): SolicitationState {
  return state.stage.at === 'child' ? { ...state, stage: { ...state.stage, since } } : state;
}

/** The time that the workflow took counts whole, also where it waited for a person. */
function worked(
  state: SolicitationState,
  { occurredAt, data: { stepId: _s, runId: _r, ...end } }: Seen<ChildEnded>,
): SolicitationState {
  const { stage } = state;
  if (stage.at !== 'child' || stage.since === undefined) return state;
  const latencyMs = Math.max(0, Date.parse(occurredAt) - Date.parse(stage.since));
  return { ...state, latencyMs, stage: { at: 'worked', asked: stage.asked, end } };
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

function webhookAnswered(state: SolicitationState, stage: Calling, data: RecordedReply): SolicitationState {
  const spent = withLatency(state, stage, data.durationMs);
  const reply: WebhookReply = readWebhookReply(stage.call === 'context' ? 'context' : 'strategy', data);
  if (reply.kind === 'failed') return again(spent, stage, reply);
  if (reply.kind === 'context') return withContext(spent, reply.text);
  return { ...spent, stage: { at: 'chosen', result: reply.result } };
}

function withContext(state: SolicitationState, contextText: string): SolicitationState {
  const { proposer } = state.input;
  const rung = firstRung(proposer.kind === 'model' && proposer.useTools, state.context);
  return { ...state, contextText, interruptions: 0, stage: called(rung) };
}

function fellBack(state: SolicitationState, { data }: FallbackTaken): SolicitationState {
  const { stage } = state;
  if (data.to === 'text') return { ...state, interruptions: 0, stage: called('text') };
  if (stage.at !== 'replied') return state;
  const { completion, rung } = stage;
  if (data.to === 'decision')
    return { ...state, stage: { at: 'decision', completion, after: rung === 'reask' ? 'reask' : 'tools' } };
  if (!completion.toolCall) return state;
  const { content, toolCall: call } = completion;
  const refused = { content, call, errors: data.argumentErrors ?? [] };
  return { ...state, refused, interruptions: 0, stage: called('reask') };
}
