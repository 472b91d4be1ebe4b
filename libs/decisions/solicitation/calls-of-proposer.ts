import {
  type FunctionCall,
  type FunctionCallCompleted,
  type WebhookCall,
  type WebhookCallCompleted,
} from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { ProposerContext, SolicitationFailure } from '#lib/decisions/session';
import type { ActivityFailure, Attempted, FailingAttempt, Seen } from '#lib/workflow';
import { activityFailure } from './activity-failure.js';
import { readWebhookReply } from './read-webhook-reply.js';
import type { SolicitationAsk } from './solicitation.ask.js';
import type { ProposerMode } from './solicitation.events.js';

/** The source of the context or the choice besides models; also the id of its calls. */
export type CallName = 'context' | 'strategy';

export interface FailedCall extends FailingAttempt {
  readonly failure: SolicitationFailure;
}

/** The call of the function or webhook that chooses, or gives the context of a model: both get the same context. */
export function callOfProposer(
  { input, context }: Pick<SolicitationAsk, 'input' | 'context'>,
  attempt: number,
) {
  const { specialistId, machineName, policies } = input;
  const called = calledBy(input.proposer as Caller);
  const { purpose } = called;
  const given = context as JsonObject & ProposerContext;
  if ('fnName' in called) {
    const { callTimeoutMs: timeoutMs } = policies;
    const call: FunctionCall = { fnName: called.fnName, input: given, purpose, attempt, timeoutMs };
    return { activity: 'function', input: call };
  }
  const { url, tokenName } = called;
  const { webhookTimeoutMs: timeoutMs } = policies;
  const who = { url, specialistId, machineName, tokenName };
  const call: WebhookCall = { purpose, ...who, attempt, timeoutMs, requestBody: given };
  return { activity: 'webhook', input: call };
}

type Called = { readonly purpose: 'strategy' | 'context' } & (
  | { readonly fnName: string }
  | { readonly url: string; readonly tokenName: string }
);

type Caller = Exclude<ProposerMode, { kind: 'workflow' }>;

function calledBy(proposer: Caller): Called {
  if (proposer.kind === 'strategy') return { purpose: 'strategy', fnName: proposer.strategyFnName };
  if (proposer.kind === 'webhook') {
    const { strategyWebhookUrl: url, webhookTokenName: tokenName } = proposer;
    return { purpose: 'strategy', url, tokenName };
  }
  const { context } = proposer;
  if ('contextWebhookUrl' in context) {
    return { purpose: 'context', url: context.contextWebhookUrl, tokenName: context.webhookTokenName };
  }
  return { purpose: 'context', fnName: 'contextFnName' in context ? context.contextFnName : '' };
}

/** The result of a call: a context is text, a choice is checked later. */
export function outcomeOfCall(
  call: CallName,
  { type, data, occurredAt }: Seen,
): Attempted<unknown, FailedCall> {
  const { failure } = data as { failure?: ActivityFailure };
  if (failure) return { failed: { ...failure, failure: activityFailure(failure) } };
  if (type === 'FunctionCallCompleted') return { value: (data as FunctionCallCompleted['data']).result };
  const reply = readWebhookReply(call, data as WebhookCallCompleted['data'], occurredAt);
  if (reply.kind === 'failed') return { failed: { ...reply, kind: reply.failure.kind } };
  return { value: reply.kind === 'context' ? reply.text : reply.result };
}
