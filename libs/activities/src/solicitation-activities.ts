import type { Rejection } from '#lib/kernel';
import type { ProposerContext } from '#lib/session';
import {
  type ContextCompleted,
  type ContextFailed,
  type ContextRequested,
  type ProposerMode,
  type SolicitationEvent,
  type SolicitationStarted,
  type StrategyCallCompleted,
  type StrategyCallFailed,
  type StrategyCallRequested,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
  toldContext,
} from '#lib/solicitation';
import type { Activities } from '#lib/legacy-workflow';
import { configurationRejection } from './configuration-rejection.js';
import { callFunction, type CallLimits } from './functions/function-calls.js';
import { plainJson } from './functions/plain-json.js';
import type { ProposerFunctions } from './functions/proposer-functions.js';
import { notRegistered, unregistered } from './functions/unregistered-function.js';
import { publicUrl } from './http/public-url.js';
import { LlmCalls } from './llm/llm-calls.js';
import type { LlmConfig } from './llm/llm-config.js';
import { llmConfigProblem } from './llm/llm-config-problem.js';
import { llmSecrets } from './llm/llm-secrets.js';
import { Redactor } from './redaction/redactor.js';
import { WebhookCaller } from './webhooks/webhook-caller.js';

/** Performs what solicitations request, in this process, with its configuration and the functions registered in it. */
export class SolicitationActivities {
  private readonly llmCalls: LlmCalls;
  private readonly redactor: Redactor;

  /**
   * @param secrets known secrets besides those of `llm`, to be kept out of every outcome
   * @param webhooks who calls them; default: one that calls public addresses alone
   */
  constructor(
    private readonly llm: LlmConfig,
    private readonly functions: ProposerFunctions,
    secrets: readonly string[] = [],
    private readonly webhooks = new WebhookCaller({ privateAddresses: 'refuse' }, [
      ...llmSecrets(llm),
      ...secrets,
    ]),
  ) {
    this.llmCalls = new LlmCalls(llm, secrets);
    this.redactor = new Redactor([...llmSecrets(llm), ...secrets]);
  }

  /**
   * Whether this process could perform everything that a solicitation of this proposer may request. Asked before anything of it is
   * recorded, and before a solicitation that another process began is taken over.
   */
  preflightProposer(proposer: ProposerMode): Rejection | undefined {
    if (proposer.kind === 'strategy') return this.strategyProblem(proposer.strategyFnName);
    if (proposer.kind === 'webhook') return undefined;
    const { context, baseUrl } = proposer;
    const unregistered = 'contextFnName' in context ? this.contextProblem(context.contextFnName) : undefined;
    return unregistered ?? this.modelProblem(baseUrl);
  }

  /** What the solicitation with this start event needs; functions get the context that stands in it. */
  forSolicitation({ data }: SolicitationStarted): Activities<SolicitationEvent> {
    return {
      preflight: (request) => this.preflight(request, data.proposer),
      perform: (request, signal) => this.perform(request, data, signal),
    };
  }

  private preflight(request: SolicitationEvent, proposer: ProposerMode): Rejection | undefined {
    switch (request.type) {
      case 'LlmCallRequested':
        return proposer.kind === 'model' ? this.modelProblem(proposer.baseUrl) : undefined;
      case 'ContextRequested':
        return this.contextProblem(request.data.contextFnName);
      case 'StrategyCallRequested':
        return this.strategyProblem(request.data.strategyFnName);
      default:
        return undefined;
    }
  }

  private async perform(
    request: SolicitationEvent,
    start: SolicitationStarted['data'],
    signal: AbortSignal,
  ): Promise<SolicitationEvent> {
    const { proposer, policies } = start;
    const context = toldContext(start);
    const limits = { signal, timeoutMs: policies.callTimeoutMs };
    switch (request.type) {
      case 'LlmCallRequested':
        return this.llmCalls.perform(request.data, signal);
      case 'WebhookCallRequested':
        return this.webhookOutcome(request, proposer, signal);
      case 'ContextRequested':
        return this.contextOutcome(request, context, limits);
      case 'StrategyCallRequested':
        return this.strategyOutcome(request, context, limits);
      default:
        throw new TypeError(`A ${request.type} is no request.`);
    }
  }

  private async strategyOutcome(
    { data: { callId, strategyFnName } }: StrategyCallRequested,
    context: ProposerContext,
    limits: CallLimits,
  ): Promise<StrategyCallCompleted | StrategyCallFailed> {
    const strategy = this.functions.strategy(strategyFnName) ?? unregistered(strategyFnName);
    const outcome = await callFunction(
      () => strategy(structuredClone(context)),
      plainJson,
      this.redactor,
      limits,
    );
    if ('failure' in outcome) return { type: 'StrategyCallFailed', data: { callId, ...outcome } };
    return { type: 'StrategyCallCompleted', data: { callId, ...outcome } };
  }

  private async contextOutcome(
    { data: { callId, contextFnName } }: ContextRequested,
    context: ProposerContext,
    limits: CallLimits,
  ): Promise<ContextCompleted | ContextFailed> {
    const contextFn = this.functions.context(contextFnName) ?? unregistered(contextFnName);
    const outcome = await callFunction(
      () => contextFn(structuredClone(context)),
      asText,
      this.redactor,
      limits,
    );
    if ('failure' in outcome) return { type: 'ContextFailed', data: { callId, ...outcome } };
    const { result, durationMs } = outcome;
    return { type: 'ContextCompleted', data: { callId, text: result, durationMs } };
  }

  private async webhookOutcome(
    { data: { callId, url, requestBody, delayMs, timeoutMs } }: WebhookCallRequested,
    proposer: ProposerMode,
    signal: AbortSignal,
  ): Promise<WebhookCallCompleted | WebhookCallFailed> {
    const { machineName = '' } = requestBody;
    const webhookTokenName = webhookTokenNameOf(proposer);
    const call = { url, machineName, webhookTokenName, body: requestBody, delayMs, timeoutMs };
    const outcome = await this.webhooks.call(call, signal);
    if (outcome.kind === 'completed')
      return { type: 'WebhookCallCompleted', data: { callId, ...outcome.reply } };
    const { kind: _, ...failed } = outcome;
    return { type: 'WebhookCallFailed', data: { callId, ...failed } };
  }

  private strategyProblem(name: string): Rejection | undefined {
    const { strategyNames } = this.functions;
    return strategyNames.includes(name) ? undefined : notRegistered('strategy', name, strategyNames);
  }

  private contextProblem(name: string): Rejection | undefined {
    const { contextNames } = this.functions;
    return contextNames.includes(name) ? undefined : notRegistered('context function', name, contextNames);
  }

  private modelProblem(baseUrl: string): Rejection | undefined {
    const problem = llmConfigProblem(this.llm);
    if (problem) return problem;
    const configured = publicUrl(this.llm.baseUrl);
    if (configured === baseUrl) return undefined;
    return configurationRejection(
      'call of a model',
      `the solicitation is for the API at ${baseUrl}, and this process is configured for ${configured}`,
      `Set OPENAI_BASE_URL to that API, or ask for a new proposal`,
    );
  }
}

function webhookTokenNameOf(proposer: ProposerMode): string {
  if (proposer.kind === 'webhook') return proposer.webhookTokenName;
  return proposer.kind === 'model' && 'webhookTokenName' in proposer.context
    ? proposer.context.webhookTokenName
    : '';
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(
    `A context function must return text; it returned ${value === null ? 'null' : `a ${typeof value}`}.`,
  );
}
