import { type Completion, excerpt, type FunctionCall, type WebhookCall } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import { modelCallSteps } from '#lib/call-rules';
import type { ProposerContext, SolicitationFailure } from '#lib/decisions/session';
import type { Step } from '#lib/workflow';
import {
  type AskedVerdict,
  validateAnswer,
  validateDecision,
  validateStrategyResult,
} from './validate-choice.js';
import { validateToolCall } from './validate-tool-call.js';
import { modelQuestion } from './model-question.js';
import { validateWorkflowEnd, workflowInput } from './proposing-workflow.js';
import { readDecision, uselessReply, uselessText } from './read-decision.js';
import { TemplateTooLarge } from '#lib/call-rules';
import type {
  FallbackTaken,
  LadderStep,
  ProposerMode,
  SolicitationChoice,
  SolicitationLoss,
} from './solicitation.events.js';
import { delayIdOf, stepIdOf } from './solicitation.evolve.js';
import type { SolicitationState, Stage } from './solicitation.state.js';

type Next = Step<FallbackTaken>;
type At<Name extends Stage['at']> = Extract<Stage, { at: Name }>;

/** The ladder: what to do now, given all that is recorded; nothing while a model is asked. No model is asked when a template exceeds its bounds. */
export function nextSteps(state: SolicitationState): readonly Next[] {
  const { stage } = state;
  try {
    if (stage.at !== 'asking') return [nextStep(state, stage)];
    return modelCallSteps(stage.call, (route) => modelQuestion(state, stage.rung, route));
  } catch (error) {
    if (!(error instanceof TemplateTooLarge)) throw error;
    const message = `${templatesOf(state)} cannot be rendered for this session: ${error.message}.`;
    return [failed(state, { kind: 'template-too-large', message })];
  }
}

function nextStep(state: SolicitationState, stage: Exclude<Stage, { at: 'asking' }>): Next {
  const { context } = state;
  switch (stage.at) {
    case 'call':
      return callOfProposer(state, stage);
    case 'delay':
      return { do: 'timer', id: delayIdOf(stage), afterMs: stage.afterMs };
    case 'child': {
      const { workflow, input } = stage.asked;
      return { do: 'child', id: 'workflow', workflow, input: workflowInput(input, context) };
    }
    case 'worked':
      return concluded(state, validateWorkflowEnd(state, stage.asked.workflow, stage.end), 'workflow');
    case 'chosen':
      return concluded(state, validateStrategyResult(state, stage.result), 'strategy');
    case 'replied':
      return afterReply(state, stage);
    case 'decision':
      return afterDecision(state, stage);
    case 'failed':
      return failed(state, stage.failure);
  }
}

function templatesOf({ input: { proposer } }: SolicitationState): string {
  if (proposer.kind === 'workflow') return `The input of the workflow ${proposer.workflow}`;
  const hasPrompt = 'systemPrompt' in proposer && proposer.systemPrompt !== undefined;
  return hasPrompt ? 'The contextTemplate with the systemPrompt' : 'The contextTemplate';
}

/** The function or webhook that chooses, or makes the context of a model: both receive the same context. */
function callOfProposer({ input, context }: SolicitationState, stage: At<'call'>): Next {
  const id = stepIdOf(stage);
  const { attempt } = stage;
  const { specialistId, machineName, policies } = input;
  const called = calledBy(input.proposer as Caller);
  const { purpose } = called;
  const given = context as JsonObject & ProposerContext;
  if ('fnName' in called) {
    const call: FunctionCall = {
      fnName: called.fnName,
      input: given,
      purpose,
      attempt,
      timeoutMs: policies.callTimeoutMs,
    };
    return { do: 'call', id, activity: 'function', input: call };
  }
  const { url, tokenName } = called;
  const { webhookTimeoutMs: timeoutMs } = policies;
  const call: WebhookCall = {
    purpose,
    url,
    specialistId,
    machineName,
    tokenName,
    attempt,
    timeoutMs,
    requestBody: given,
  };
  return { do: 'call', id, activity: 'webhook', input: call };
}

type Called = { readonly purpose: 'strategy' | 'context' } & (
  { readonly fnName: string } | { readonly url: string; readonly tokenName: string }
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

function afterReply(state: SolicitationState, { rung, completion }: At<'replied'>): Next {
  if (rung === 'text') return textDecided(state, completion, rung);
  if (rung === 'structured') return structuredDecided(state, completion);
  if (rung === 'reask' && state.refused?.rung !== 'tools') return textDecided(state, completion, rung);
  const useless = uselessReply(completion);
  if (useless) return failed(state, useless);
  if (!completion.toolCall) return fallBack({ from: rung, to: 'decision', reason: 'no-tool-call' });
  const { context, version, input } = state;
  const { proposer } = input;
  return judged(state, validateToolCall({ context, version, proposer }, completion, rung), rung, 'tools');
}

/** If the provider refused the format, the request was that of the text rung already. */
function structuredDecided(state: SolicitationState, completion: Completion): Next {
  const { content, stopped } = completion;
  const decision = readDecision(content);
  if (!('unreadable' in decision))
    return judged(state, validateAnswer(state, decision), 'structured', 'structured');
  const isLast = state.routes[0]?.corrected?.['response_format'] !== undefined;
  if (isLast || uselessText(content, stopped)) return textDecided(state, completion, 'text');
  return fallBack({ from: 'structured', to: 'text', reason: decision.unreadable });
}

/** The text rung is the last one: what cannot be read there is a failure. */
function textDecided(
  state: SolicitationState,
  { content, stopped }: Completion,
  rung: 'text' | 'reask',
): Next {
  const decision = readDecision(content);
  if ('unreadable' in decision) return failed(state, uselessText(content, stopped) ?? unreadable(content));
  if (rung === 'reask') return concluded(state, validateDecision(state, decision), rung);
  return judged(state, validateAnswer(state, decision), rung, rung);
}

function afterDecision(state: SolicitationState, { completion, after }: At<'decision'>): Next {
  const decision = readDecision(completion.content);
  if (!('unreadable' in decision)) {
    if (after === 'reask') return concluded(state, validateDecision(state, decision), 'decision');
    return judged(state, validateAnswer(state, decision), 'decision', 'decision');
  }
  if (after === 'reask') return failed(state, unreadable(completion.content));
  return fallBack({ from: 'decision', to: 'text', reason: decision.unreadable });
}

/** Concluded, unless the model is asked once more. */
function judged(
  state: SolicitationState,
  verdict: AskedVerdict,
  rung: SolicitationChoice['rung'],
  from: LadderStep['from'],
): Next {
  if (!('reask' in verdict)) return concluded(state, verdict, rung);
  return fallBack({ from, to: 'reask', reason: 'invalid-arguments', ...verdict.reask });
}

function unreadable(content: string): SolicitationFailure {
  return {
    kind: 'unreadable-decision',
    message: `Failed to parse LLM proposer response: ${excerpt(content)}`,
  };
}

function fallBack(data: LadderStep): Next {
  return { do: 'record', event: { type: 'FallbackTaken', data } };
}

function failed(state: SolicitationState, { upstreamStatus, ...failure }: SolicitationFailure): Next {
  const result: SolicitationLoss = {
    ...(upstreamStatus !== undefined && { upstreamStatus }),
    ...costOf(state),
  };
  return { do: 'fail', failure, ...(Object.keys(result).length > 0 && { result }) };
}

function costOf({ spent: { costUSD } }: SolicitationState): { costUSD?: number } {
  return costUSD === undefined ? {} : { costUSD };
}

type Verdict =
  { readonly failure: SolicitationFailure } | { readonly chosen: Omit<SolicitationChoice, 'rung'> };

function concluded(state: SolicitationState, verdict: Verdict, rung: SolicitationChoice['rung']): Next {
  if ('failure' in verdict) return failed(state, verdict.failure);
  const { transitionName, toState, reasoning, ...said } = verdict.chosen;
  const { promptTokens, completionTokens } = state.spent.usage;
  const choice = {
    transitionName,
    toState,
    reasoning,
    rung,
    latencyMsec: state.spent.latencyMs,
    ...costOf(state),
    ...(promptTokens !== undefined && { numInputTokens: promptTokens }),
    ...(completionTokens !== undefined && { numOutputTokens: completionTokens }),
    ...said,
  };
  return { do: 'end', result: choice as SolicitationChoice & JsonObject };
}
