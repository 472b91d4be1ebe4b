import { randomUUID } from 'node:crypto';
import type { ProposerContext } from '#lib/session';
import {
  LADDER_VERSION,
  type OfferedTransitions,
  parseModelId,
  solicitation,
  type SolicitationEvent,
  type SolicitationStarted,
  type SolicitationSucceeded,
  splitModelId,
} from '#lib/solicitation';
import type { Activities } from '#lib/legacy-workflow';
import { type ContextFn, ProposerFunctions } from '../functions/proposer-functions.js';
import { publicUrl } from '../http/public-url.js';
import type { LlmConfig } from '../llm/llm-config.js';
import { llmSecrets } from '../llm/llm-secrets.js';
import { Redactor } from '../redaction/redactor.js';
import { SolicitationActivities } from '../solicitation-activities.js';
import { CALL_TIMEOUT_MS, environmentLlm } from './environment-llm.js';
import type { LlmAudit } from './llm-audit.js';
import { reportCall } from './report-call.js';

/** A context whose transitions may be written short; without a prompt there is none, without a history it is empty. */
export type LlmProposerContext = Omit<ProposerContext, 'transitions' | 'prompt' | 'history'> &
  Partial<Pick<ProposerContext, 'prompt' | 'history'>> & {
    readonly transitions: OfferedTransitions;
  };

/** What the model chose. */
export type LlmProposal = Pick<
  SolicitationSucceeded['data'],
  'transitionName' | 'toState' | 'reasoning' | 'metaJson' | 'numInputTokens' | 'numOutputTokens'
> & {
  /** Whole milliseconds, over all calls. */
  readonly latencyMsec: number;
};

const CONTEXT_FN = 'contextFn';

/**
 * Asks a model for a transition by the same ladder that sessions use, with nothing recorded: a tool call, decision JSON in its text, a fresh
 * text-mode call. Key and base URL are those of the environment now.
 * @throws ConfigurationError without a key, before anything is sent; InvalidModelId; an Error that says why there is no choice.
 */
export async function executeProposerLlm(
  contextFn: ContextFn,
  modelId: string,
  ctx: LlmProposerContext,
  audit?: LlmAudit,
): Promise<LlmProposal> {
  const config = environmentLlm();
  const start = startOf(modelId, ctx, config);
  const functions = new ProposerFunctions().registerContext(CONTEXT_FN, contextFn);
  const activities = new SolicitationActivities(config, functions).forSolicitation(start);
  const end = await runInMemory(start, audited(activities, audit, new Redactor(llmSecrets(config))));
  if (end.type === 'SolicitationFailed') throw new Error(end.data.failure.message);
  return proposalOf(end as SolicitationSucceeded);
}

function startOf(rawModelId: string, ctx: LlmProposerContext, config: LlmConfig): SolicitationStarted {
  const data = {
    solicitationId: randomUUID(),
    sessionId: ctx.sessionId,
    roundId: randomUUID(),
    specialistId: 'proposer',
    specialistVersion: 1,
    workflowVersion: LADDER_VERSION,
    proposer: {
      kind: 'model',
      context: { contextFnName: CONTEXT_FN },
      rawModelId,
      ...parseModelId(rawModelId),
      flags: splitModelId(rawModelId).flags,
      baseUrl: publicUrl(config.baseUrl),
    },
    policies: { maxAttempts: 1, callTimeoutMs: CALL_TIMEOUT_MS },
    context: {
      ...ctx,
      prompt: ctx.prompt ?? '',
      history: ctx.history ?? [],
      transitions: writtenOut(ctx.transitions),
    },
  } as const;
  return { type: 'SolicitationStarted', data };
}

function writtenOut(transitions: OfferedTransitions): ProposerContext['transitions'] {
  const entries = Object.entries(transitions).map(
    ([name, to]) => [name, typeof to === 'string' ? { target: to } : to] as const,
  );
  return Object.fromEntries(entries);
}

function audited(
  activities: Activities<SolicitationEvent>,
  audit: LlmAudit | undefined,
  redactor: Redactor,
): Pick<Activities<SolicitationEvent>, 'perform'> {
  return {
    async perform(request, signal) {
      const timestamp = new Date();
      const outcome = await activities.perform(request, signal);
      const isCall = outcome.type === 'LlmCallCompleted' || outcome.type === 'LlmCallFailed';
      if (isCall && request.type === 'LlmCallRequested') {
        await reportCall(audit, { request: request.data, outcome, timestamp }, redactor);
      }
      return outcome;
    },
  };
}

async function runInMemory(
  start: SolicitationStarted,
  activities: Pick<Activities<SolicitationEvent>, 'perform'>,
): Promise<SolicitationEvent> {
  const { signal } = new AbortController();
  let state = solicitation.initialState(start);
  for (;;) {
    const step = solicitation.next(state);
    if (step.kind === 'end') return step.event;
    if (step.kind === 'append') state = solicitation.evolve(state, step.event);
    else {
      const requested = solicitation.evolve(state, step.request);
      state = solicitation.evolve(requested, await activities.perform(step.request, signal));
    }
  }
}

function proposalOf({ data }: SolicitationSucceeded): LlmProposal {
  const { transitionName, toState, reasoning, metaJson, numInputTokens, numOutputTokens } = data;
  return {
    transitionName,
    toState,
    reasoning,
    ...(metaJson !== undefined && { metaJson }),
    latencyMsec: data.latencyMsec ?? 0,
    ...(numInputTokens !== undefined && { numInputTokens }),
    ...(numOutputTokens !== undefined && { numOutputTokens }),
  };
}
