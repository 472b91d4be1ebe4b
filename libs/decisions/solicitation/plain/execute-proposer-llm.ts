import { randomUUID } from 'node:crypto';
import { type CallStep, type OnceInput, type Outcome, runOnce } from '#lib/workflow';
import { DEFAULT_PROVIDER, llmCallRules, type LlmCallInput, recordedCalls } from '#lib/call-rules';
import { type JsonObject, present } from '#lib/kernel';
import { type ModelRoute, splitModelId } from '#lib/call-rules';
import type { ProposerContext } from '#lib/decisions/session';
import type { OfferedTransitions } from '../build-tools.js';
import { solicitation } from '../solicitation.workflow.js';
import type { SolicitationChoice, SolicitationFacts, SolicitationInput } from '../solicitation.events.js';
import { callFunction } from '#lib/activities';
import type { ContextFn } from '../functions/proposer-functions.js';
import { chatUrl } from '#lib/activities';
import { LlmCalls } from '#lib/activities';
import { type LlmConfig, llmSecrets } from '#lib/activities';
import { Redactor } from '#lib/activities';
import { plainJson } from '#lib/activities';
import { CALL_TIMEOUT_MS, environmentLlm } from './environment-llm.js';
import type { LlmAudit } from './llm-audit.js';
import { reportCall } from './report-call.js';

/** A context with short forms of transitions; prompt and history may be absent. */
export type LlmProposerContext = Omit<ProposerContext, 'transitions' | 'prompt' | 'history'> &
  Partial<Pick<ProposerContext, 'prompt' | 'history'>> & {
    readonly transitions: OfferedTransitions;
  };

/** The model's choice. */
export type LlmProposal = Pick<
  SolicitationChoice,
  'transitionName' | 'toState' | 'reasoning' | 'metaJson' | 'numInputTokens' | 'numOutputTokens'
> & {
  /** Whole milliseconds, over all calls. */
  readonly latencyMsec: number;
};

/**
 * Asks a model for a transition by the ladder of sessions, without a log: a tool call, decision JSON in its text, a new text-mode
 * call. Key and base URL are those of the environment at the call.
 * @throws ConfigurationError without a key, before anything is sent; InvalidModelId; an Error with the reason why there is no
 * choice.
 */
export async function executeProposerLlm(
  contextFn: ContextFn,
  modelId: string,
  ctx: LlmProposerContext,
  audit?: LlmAudit,
): Promise<LlmProposal> {
  const config = environmentLlm();
  const given = { input: inputOf(ctx), facts: factsOf(modelId, config), context: contextOf(ctx) };
  const { end } = await runOnce(solicitation, given as object as OnceInput, {
    activities: recordedCalls,
    perform: performer(contextFn, config, audit),
  });
  if (end.do === 'fail') throw new Error(end.failure.message);
  return proposalOf(end.result as JsonObject & SolicitationChoice);
}

function inputOf({ sessionId, machineName = '' }: LlmProposerContext): SolicitationInput {
  const specialist = { specialistId: 'proposer', specialistVersion: 1 };
  return { sessionId, roundId: randomUUID(), ...specialist, machineName };
}

function factsOf(modelId: string, config: LlmConfig): SolicitationFacts {
  const context = { contextFnName: 'contextFn' };
  const proposer = { kind: 'model', context, routes: [routeOf(modelId, config)] } as const;
  const policies = { maxAttempts: 1, callTimeoutMs: CALL_TIMEOUT_MS, webhookTimeoutMs: CALL_TIMEOUT_MS };
  return { proposer, policies, exemplars: [] };
}

function routeOf(raw: string, config: LlmConfig): ModelRoute {
  const { modelId: model, flags } = splitModelId(raw);
  const limits = { timeoutMs: CALL_TIMEOUT_MS, maxAttempts: 1 };
  return { modelId: raw, model, flags, provider: DEFAULT_PROVIDER, url: chatUrl(config), ...limits };
}

function contextOf(ctx: LlmProposerContext): ProposerContext {
  const transitions = writtenOut(ctx.transitions);
  return { ...ctx, prompt: ctx.prompt ?? '', history: ctx.history ?? [], transitions };
}

function writtenOut(transitions: OfferedTransitions): ProposerContext['transitions'] {
  const entries = Object.entries(transitions).map(
    ([name, to]) => [name, typeof to === 'string' ? { target: to } : to] as const,
  );
  return Object.fromEntries(entries);
}

type Perform = (call: CallStep) => Promise<Outcome>;

/** Calls the model, and the function for the context. */
function performer(contextFn: ContextFn, config: LlmConfig, audit: LlmAudit | undefined): Perform {
  const calls = new LlmCalls(config);
  const redactor = new Redactor(llmSecrets(config));
  const { signal } = new AbortController();
  return async ({ activity, input }) => {
    if (activity !== llmCallRules.name) {
      const given = structuredClone((input as JsonObject)['input']) as JsonObject & ProposerContext;
      const limits = { signal, timeoutMs: CALL_TIMEOUT_MS };
      const outcome = await callFunction(() => contextFn(given), plainJson, redactor, limits);
      if ('result' in outcome) return { completed: outcome };
      return { failed: { failure: { ...outcome.failure, retryable: false } } };
    }
    const { body: requestBody, url: requestUrl, timeoutMs } = input as JsonObject & LlmCallInput;
    const timestamp = new Date();
    const outcome = await calls.perform({ requestBody, timeoutMs }, signal);
    await reportCall(audit, { request: { requestUrl, requestBody }, outcome, timestamp }, redactor);
    return outcome;
  };
}

function proposalOf(choice: SolicitationChoice): LlmProposal {
  const { transitionName, toState, reasoning, metaJson, numInputTokens, numOutputTokens } = choice;
  return {
    transitionName,
    toState,
    reasoning,
    ...(metaJson !== undefined && { metaJson }),
    latencyMsec: choice.latencyMsec ?? 0,
    ...present({ numInputTokens, numOutputTokens }),
  };
}
