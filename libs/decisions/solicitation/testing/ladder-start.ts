import { type Json, type JsonObject, present } from '#lib/kernel';
import type { ProposerContext } from '#lib/decisions/session';
import type { OfferedTransitions } from '../build-tools.js';
import type { ModelParameters, ModelRoute } from '#lib/call-rules';
import { sampleRoute } from '#lib/call-rules/testing';
import type { ProposerMode, SolicitationFacts, SolicitationInput } from '../solicitation.events.js';

/** The differences of a test's solicitation from the usual one: a model with tools, one attempt, a short template. */
export interface LadderStart {
  /** Short forms are written out. */
  readonly transitions?: OfferedTransitions;
  readonly prompt?: string;
  readonly history?: ProposerContext['history'];
  readonly metaJson?: JsonObject;
  /** May have flags. */
  readonly modelId?: string;
  readonly context?: Extract<ProposerMode, { kind: 'model' }>['context'];
  /** In place of a model. */
  readonly strategyFnName?: string;
  /** In place of a model. */
  readonly workflow?: { readonly name: string; readonly input: JsonObject };
  /** In place of a model. */
  readonly strategyWebhookUrl?: string;
  readonly maxAttempts?: number;
  readonly askReasoning?: true;
  readonly price?: NonNullable<ModelRoute['price']>;
  readonly backupModels?: readonly string[];
  readonly modelParameters?: ModelParameters;
  readonly systemPrompt?: string;
  readonly exemplars?: SolicitationFacts['exemplars'];
}

/** The start of a test's run. */
export interface GivenLadder {
  readonly input: SolicitationInput;
  readonly facts: { readonly [name: string]: Json } & SolicitationFacts;
  readonly context: JsonObject & ProposerContext;
}

/** Two tools: `refund` takes an amount, `escalate` no arguments. */
export const enriched: OfferedTransitions = {
  refund: {
    target: 'refunded',
    description: 'Pay the money back',
    parameters: {
      type: 'object',
      properties: { amount: { type: 'number' } },
      required: ['amount'],
      additionalProperties: false,
    },
  },
  escalate: { target: 'escalated', description: 'Ask a person' },
};

export const plain: OfferedTransitions = { refund: 'refunded', escalate: 'escalated' };

/** The start event as written by the engine. */
export function ladderStart(over: LadderStart = {}): GivenLadder {
  const { transitions = enriched, prompt = 'What next?', history = [], metaJson, maxAttempts = 1 } = over;
  const { exemplars = [] } = over;
  const context = {
    sessionId: '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0a02',
    machineName: 'support',
    currentState: 'triage',
    prompt,
    transitions: writtenOut(transitions),
    history,
    ...(metaJson !== undefined && { metaJson }),
  };
  const policies = { maxAttempts, callTimeoutMs: 30_000, webhookTimeoutMs: 55_000 };
  const facts = { proposer: proposerOf(over), policies, exemplars };
  const input = {
    sessionId: context.sessionId,
    roundId: '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0a03',
    specialistId: 'assistant',
    specialistVersion: 1,
    machineName: 'support',
  };
  return { input, facts, context };
}

function proposerOf({
  strategyFnName,
  strategyWebhookUrl,
  workflow,
  modelId: raw = 'gpt-test',
  context,
  askReasoning,
  price,
  maxAttempts = 1,
  backupModels = [],
  modelParameters,
  systemPrompt,
}: LadderStart): ProposerMode {
  if (strategyFnName !== undefined) return { kind: 'strategy', strategyFnName };
  if (strategyWebhookUrl !== undefined)
    return { kind: 'webhook', strategyWebhookUrl, webhookTokenName: 'WEBHOOK_TOKEN' };
  if (workflow) return { kind: 'workflow', workflow: workflow.name, input: workflow.input };
  return {
    kind: 'model',
    context: context ?? { contextTemplate: 'Ticket 7' },
    routes: [raw, ...backupModels].map((id) => sampleRoute(id, { maxAttempts, ...(price && { price }) })),
    ...present({ modelParameters, systemPrompt }),
    ...(askReasoning && { askReasoning }),
  };
}

function writtenOut(transitions: OfferedTransitions): ProposerContext['transitions'] {
  return Object.fromEntries(
    Object.entries(transitions).map(([name, to]) => [name, typeof to === 'string' ? { target: to } : to]),
  );
}
