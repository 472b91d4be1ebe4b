import { activityFailure } from './activity-failure.js';
import { addUsage, readReply, usageCost } from '#lib/calls';
import { readWebhookReply, type WebhookReply } from '../read-webhook-reply.js';
import type {
  FallbackTaken,
  LlmCallCompleted,
  LlmCallFailed,
  LlmCallRequested,
  SolicitationEvent,
  SolicitationStarted,
  WebhookCallFailed,
  WebhookCallRequested,
} from './solicitation.events.js';
import type { SolicitationRequest, SolicitationState } from './solicitation.state.js';

export function startSolicitation(start: SolicitationEvent): SolicitationState {
  const { data } = start as SolicitationStarted;
  return { start: data, stage: { at: 'start' }, requests: 0, latencyMs: 0, usage: {} };
}

/** Total: an outcome that answers no pending request changes nothing. */
export function evolveSolicitation(state: SolicitationState, event: SolicitationEvent): SolicitationState {
  switch (event.type) {
    case 'LlmCallRequested':
    case 'ContextRequested':
    case 'StrategyCallRequested':
    case 'WebhookCallRequested':
      return { ...state, pending: event, requests: state.requests + 1 };
    case 'FallbackTaken':
      return fellBack(state, event);
    case 'SolicitationSucceeded':
    case 'SolicitationFailed':
      return { ...state, stage: { at: 'ended' } };
    case 'SolicitationStarted':
      return state;
    default:
      return answers(state.pending, event) ? settled(state, event) : state;
  }
}

type Outcome = Exclude<
  SolicitationEvent,
  | { type: 'SolicitationStarted' | 'FallbackTaken' | 'SolicitationSucceeded' | 'SolicitationFailed' }
  | SolicitationRequest
>;

function answers(pending: SolicitationRequest | undefined, outcome: Outcome): boolean {
  return (
    pending?.data.callId === outcome.data.callId &&
    pending.type.replace('Requested', '') === outcome.type.replace(/Completed|Failed/, '')
  );
}

function settled({ pending, ...state }: SolicitationState, outcome: Outcome): SolicitationState {
  switch (outcome.type) {
    case 'LlmCallCompleted':
      return replied(state, pending as LlmCallRequested, outcome);
    case 'LlmCallFailed':
      return unanswered(state, pending as LlmCallRequested, outcome);
    case 'ContextCompleted':
      return {
        ...state,
        contextText: outcome.data.text,
        stage: { at: 'context-ready' },
      };
    case 'StrategyCallCompleted':
      return {
        ...state,
        latencyMs: state.latencyMs + outcome.data.durationMs,
        stage: { at: 'strategy-answered', result: outcome.data.result },
      };
    case 'WebhookCallCompleted': {
      const { data } = pending as WebhookCallRequested;
      return webhookAnswered(
        state,
        data,
        readWebhookReply(data.purpose, outcome.data),
        outcome.data.durationMs,
      );
    }
    case 'WebhookCallFailed':
      return webhookUnanswered(state, pending as WebhookCallRequested, outcome);
    case 'ContextFailed':
    case 'StrategyCallFailed':
      return { ...state, stage: { at: 'function-failed', failure: outcome.data.failure } };
    default:
      outcome satisfies never;
      return state;
  }
}

function replied(
  state: SolicitationState,
  { data }: LlmCallRequested,
  outcome: LlmCallCompleted,
): SolicitationState {
  const reply = readReply(outcome.data);
  return {
    ...state,
    latencyMs: state.latencyMs + outcome.data.durationMs,
    usage: addUsage(state.usage, reply.usage),
    ...costAfter(state, usageCost(state.start.price, reply.usage)),
    stage: { at: 'replied', rung: data.rung, attempt: data.attempt, reply },
  };
}

function costAfter({ costUSD = 0 }: SolicitationState, cost: number | undefined): { costUSD?: number } {
  return cost === undefined ? {} : { costUSD: costUSD + cost };
}

function unanswered(
  state: SolicitationState,
  { data }: LlmCallRequested,
  { data: { failure } }: LlmCallFailed,
): SolicitationState {
  const stage = { at: 'unanswered', rung: data.rung, attempt: data.attempt, failure } as const;
  return { ...state, latencyMs: state.latencyMs + failure.durationMs, stage };
}

function webhookAnswered(
  state: SolicitationState,
  { purpose, attempt }: WebhookCallRequested['data'],
  reply: WebhookReply,
  durationMs: number,
): SolicitationState {
  const latencyMs = state.latencyMs + (purpose === 'strategy' ? durationMs : 0);
  switch (reply.kind) {
    case 'failed':
      return { ...state, latencyMs, stage: { at: 'webhook-failed', purpose, attempt, failed: reply } };
    case 'choice':
      return { ...state, latencyMs, stage: { at: 'strategy-answered', result: reply.result } };
    case 'context':
      return { ...state, contextText: reply.text, stage: { at: 'context-ready' } };
  }
}

function webhookUnanswered(
  state: SolicitationState,
  { data }: WebhookCallRequested,
  { data: { failure } }: WebhookCallFailed,
): SolicitationState {
  const { retryable, durationMs } = failure;
  const failed = { kind: 'failed', failure: activityFailure(failure), retryable } as const;
  return webhookAnswered(state, data, failed, durationMs);
}

function fellBack(state: SolicitationState, { data }: FallbackTaken): SolicitationState {
  const { stage } = state;
  if (data.to === 'text') return { ...state, stage: { at: 'rung', rung: 'text' } };
  if (stage.at !== 'replied' || stage.reply.kind !== 'completion') return state;
  const { reply: completion, rung } = stage;
  if (data.to === 'decision')
    return { ...state, stage: { at: 'decision', completion, after: rung === 'reask' ? 'reask' : 'tools' } };
  if (!completion.toolCall) return state;
  const refused = {
    content: completion.content,
    call: completion.toolCall,
    errors: data.argumentErrors ?? [],
  };
  return { ...state, refused, stage: { at: 'rung', rung: 'reask' } };
}
