import type { SolicitationFailure } from '#lib/session';
import { type Completion, delayBefore, excerpt } from '#lib/calls';
import type { Step } from '#lib/legacy-workflow';
import { activityFailure } from './activity-failure.js';
import { askingReasoning } from '../ask-reasoning.js';
import { buildToolsFromTransitions } from '../build-tools.js';
import { judgeDecision, judgeStrategyResult } from '../judge-choice.js';
import { judgeToolCall } from '../judge-tool-call.js';
import { reaskMessages, requestBody, textMessages, toolMessages } from '../prompts.js';
import { readDecision } from '../read-decision.js';
import { renderTemplate, TemplateTooLarge } from '../render-template.js';
import { uselessReply, uselessText } from '../useless-reply.js';
import { nextCallId } from './next-call-id.js';
import type {
  CallRung,
  FallbackTaken,
  LlmCallRequested,
  ProposerMode,
  SolicitationEvent,
  SolicitationSucceeded,
} from './solicitation.events.js';
import type { SolicitationState, Stage } from './solicitation.state.js';
import { toldContext } from './told-context.js';
import { webhookRequest } from './webhook-request.js';

type Next = Step<SolicitationEvent>;
type ModelMode = Extract<ProposerMode, { kind: 'model' }>;

/** The ladder: what to do now, given all that is recorded. */
export function nextStep(state: SolicitationState): Next {
  const step = ladderStep(state);
  if (step.kind !== 'end' || step.event.type !== 'SolicitationFailed') return step;
  return { kind: 'end', event: { ...step.event, data: { ...step.event.data, ...costOf(state) } } };
}

function costOf({ costUSD }: SolicitationState): { costUSD?: number } {
  return costUSD === undefined ? {} : { costUSD };
}

function ladderStep(state: SolicitationState): Next {
  const { stage } = state;
  switch (stage.at) {
    case 'start':
      return firstStep(state);
    case 'context-ready':
      return call(state, firstRung(state), 1);
    case 'strategy-answered':
      return judged(state, judgeStrategyResult(state.start.context, stage.result), 'strategy');
    case 'function-failed':
      return failed(activityFailure(stage.failure));
    case 'webhook-failed':
      return afterWebhook(state, stage);
    case 'rung':
      return call(state, stage.rung, 1);
    case 'unanswered':
      return afterNoReply(state, stage);
    case 'replied':
      return afterReply(state, stage);
    case 'decision':
      return afterDecision(state, stage);
    case 'ended':
      return failed({ kind: 'interrupted', message: 'The solicitation has ended.' });
  }
}

function firstStep(state: SolicitationState): Next {
  const { proposer } = state.start;
  const callId = nextCallId(state);
  if (proposer.kind === 'strategy') {
    return perform({
      type: 'StrategyCallRequested',
      data: { callId, strategyFnName: proposer.strategyFnName },
    });
  }
  if (proposer.kind === 'webhook') return perform(webhookRequest(state, 'strategy', 1));
  if ('contextWebhookUrl' in proposer.context) return perform(webhookRequest(state, 'context', 1));
  if ('contextFnName' in proposer.context) {
    return perform({
      type: 'ContextRequested',
      data: { callId, contextFnName: proposer.context.contextFnName },
    });
  }
  return call(state, firstRung(state), 1);
}

function firstRung({ start: { proposer, context } }: SolicitationState): CallRung {
  const offersTools =
    proposer.kind === 'model' && proposer.useTools && buildToolsFromTransitions(context.transitions) !== null;
  return offersTools ? 'tools' : 'text';
}

function afterWebhook(
  state: SolicitationState,
  { purpose, attempt, failed: reply }: Extract<Stage, { at: 'webhook-failed' }>,
): Next {
  if (reply.retryable && attempt < state.start.policies.maxAttempts) {
    return perform(webhookRequest(state, purpose, attempt + 1, reply.retryAfterMs));
  }
  return failed(reply.failure);
}

function afterNoReply(
  state: SolicitationState,
  { rung, attempt, failure }: Extract<Stage, { at: 'unanswered' }>,
): Next {
  if (failure.retryable && attempt < state.start.policies.maxAttempts) return call(state, rung, attempt + 1);
  return failed(activityFailure(failure));
}

function afterReply(
  state: SolicitationState,
  { rung, attempt, reply }: Extract<Stage, { at: 'replied' }>,
): Next {
  if (reply.kind === 'failed') {
    if (reply.retryable && attempt < state.start.policies.maxAttempts) {
      return call(state, rung, attempt + 1, reply.retryAfterMs);
    }
    return failed(reply.failure);
  }
  if (rung === 'text') return textDecided(state, reply);
  const useless = uselessReply(reply);
  if (useless) return failed(useless);
  if (!reply.toolCall) return fallBack({ from: rung, to: 'decision', reason: 'no-tool-call' });
  const verdict = judgeToolCall(state.start, reply, rung);
  if ('reask' in verdict) {
    return fallBack({
      from: 'tools',
      to: 'reask',
      reason: 'invalid-arguments',
      ...verdict.reask,
    });
  }
  return judged(state, verdict, rung);
}

/** The text rung is the last one: what cannot be read there is a failure. */
function textDecided(state: SolicitationState, { content, stopped }: Completion): Next {
  const decision = readDecision(content);
  if ('unreadable' in decision) return failed(uselessText(content, stopped) ?? unreadable(content));
  return judged(state, judgeDecision(state.start.context, decision), 'text');
}

function afterDecision(
  state: SolicitationState,
  { completion, after }: Extract<Stage, { at: 'decision' }>,
): Next {
  const decision = readDecision(completion.content);
  if (!('unreadable' in decision))
    return judged(state, judgeDecision(state.start.context, decision), 'decision');
  if (after === 'reask') return failed(unreadable(completion.content));
  return fallBack({ from: 'decision', to: 'text', reason: decision.unreadable });
}

function unreadable(content: string): SolicitationFailure {
  return {
    kind: 'unreadable-decision',
    message: `Failed to parse LLM proposer response: ${excerpt(content)}`,
  };
}

function fallBack(data: FallbackTaken['data']): Next {
  return { kind: 'append', event: { type: 'FallbackTaken', data } };
}

function failed(failure: SolicitationFailure): Next {
  return { kind: 'end', event: { type: 'SolicitationFailed', data: { failure } } };
}

type Verdict =
  | { readonly failure: SolicitationFailure }
  | { readonly chosen: Omit<SolicitationSucceeded['data'], 'rung'> };

function judged(
  state: SolicitationState,
  verdict: Verdict,
  rung: SolicitationSucceeded['data']['rung'],
): Next {
  if ('failure' in verdict) return failed(verdict.failure);
  const { transitionName, toState, reasoning, ...said } = verdict.chosen;
  const { promptTokens, completionTokens } = state.usage;
  const data = {
    transitionName,
    toState,
    reasoning,
    rung,
    latencyMsec: state.latencyMs,
    ...costOf(state),
    ...(promptTokens !== undefined && { numInputTokens: promptTokens }),
    ...(completionTokens !== undefined && { numOutputTokens: completionTokens }),
    ...said,
  };
  return { kind: 'end', event: { type: 'SolicitationSucceeded', data } };
}

function perform(request: SolicitationEvent): Next {
  return { kind: 'perform', request };
}

/** Without a call where the context's template is over its bounds. */
function call(state: SolicitationState, rung: CallRung, attempt: number, retryAfterMs?: number): Next {
  try {
    return perform(request(state, rung, attempt, retryAfterMs));
  } catch (error) {
    if (!(error instanceof TemplateTooLarge)) throw error;
    const message = `The contextTemplate cannot be rendered for this session: ${error.message}.`;
    return failed({ kind: 'template-too-large', message });
  }
}

function request(
  state: SolicitationState,
  rung: CallRung,
  attempt: number,
  retryAfterMs: number | undefined,
): LlmCallRequested {
  const mode = state.start.proposer as ModelMode;
  return {
    type: 'LlmCallRequested',
    data: {
      callId: nextCallId(state),
      rung,
      attempt,
      delayMs: delayBefore(attempt, retryAfterMs),
      timeoutMs: state.start.policies.callTimeoutMs,
      requestUrl: completionsUrl(mode.baseUrl),
      requestBody: bodyOf(state, mode, rung),
    },
  };
}

function bodyOf(state: SolicitationState, mode: ModelMode, rung: CallRung) {
  const { context } = state.start;
  const text = contextText(state, mode);
  if (rung === 'text') return requestBody(mode.modelId, textMessages(context, text), null);
  const asked = toolMessages(context, text);
  const offered = mode.askReasoning ? askingReasoning(context.transitions) : context.transitions;
  const { refused } = state;
  const messages =
    rung === 'reask' && refused ? reaskMessages(asked, refused.content, refused.call, refused.errors) : asked;
  return requestBody(mode.modelId, messages, offered);
}

function contextText(state: SolicitationState, { context }: ModelMode): string {
  if ('contextTemplate' in context) return renderTemplate(context.contextTemplate, toldContext(state.start));
  return state.contextText ?? '';
}

/** The base URL may have a query: it stays behind the path. */
function completionsUrl(baseUrl: string): string {
  return baseUrl.replace(/(\?.*)?$/, '/chat/completions$1');
}
