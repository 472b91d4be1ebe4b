import type { PriceInForce } from '#lib/calls';
import type { JsonObject } from '#lib/kernel';
import type { JsonSchema } from '#lib/workflow';

/** A way out of the loop that executes nothing: its arguments are the answer. */
export interface InlineExit {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** How a model is asked. Members that are absent are left out of the request. */
export interface ModelParameters {
  readonly temperature?: number | null;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxTokens?: number;
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly reasoningEffort?: string;
  readonly toolChoice?: string | JsonObject;
  readonly parallelToolCalls?: boolean;
  readonly stop?: string | readonly string[];
  /** Members of the body that have no parameter here. */
  readonly extraBody?: JsonObject;
}

/** Tested before each further call of the model. */
export interface Budget {
  readonly maxTokens?: number;
  readonly maxUSD?: number;
}

export interface PlannerInput {
  readonly systemPrompt: string;
  readonly userPrompt: string;
  readonly model: string;
  readonly modelParameters?: ModelParameters;
  /** Ids of tools that the model may call. */
  readonly tools: readonly string[];
  /** The exits of the loop: tools, by id, when they succeed, and exits that execute nothing. */
  readonly exits?: readonly (string | InlineExit)[];
  /** Calls of the model. Default 5; 0 calls nothing. */
  readonly maxRounds?: number;
  readonly budget?: Budget;
  /** Calls at once of neighbouring tools that allow it. Default 1. */
  readonly concurrency?: number;
}

/** The fact `model` of a run. */
export interface ModelFact {
  readonly url: string;
  readonly timeoutMs: number;
  /** Of one call, where the provider fails. */
  readonly maxAttempts: number;
  readonly price?: PriceInForce;
}

const text: JsonSchema = { type: 'string' };
const toolId: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const closed = (properties: JsonObject, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
});

const modelParameters = closed({
  temperature: { type: ['number', 'null'] },
  topP: { type: 'number' },
  seed: { type: 'integer' },
  maxTokens: { type: 'integer', minimum: 1 },
  maxTokensField: { enum: ['max_tokens', 'max_completion_tokens'] },
  reasoningEffort: text,
  toolChoice: { type: ['string', 'object'] },
  parallelToolCalls: { type: 'boolean' },
  stop: { anyOf: [text, { type: 'array', items: text }] },
  extraBody: {
    type: 'object',
    propertyNames: { not: { enum: ['model', 'messages', 'tools', 'stream', 'response_format'] } },
  },
});

const inlineExit = closed(
  {
    name: toolId,
    description: text,
    parameters: { type: 'object', properties: { type: { const: 'object' } }, required: ['type'] },
  },
  ['name', 'description', 'parameters'],
);

export const plannerInputSchema = closed(
  {
    systemPrompt: text,
    userPrompt: text,
    model: { type: 'string', minLength: 1 },
    modelParameters,
    tools: { type: 'array', items: toolId, maxItems: 128 },
    exits: { type: 'array', items: { anyOf: [toolId, inlineExit] }, maxItems: 128 },
    maxRounds: { type: 'integer', minimum: 0, maximum: 1_000 },
    budget: closed({
      maxTokens: { type: 'integer', minimum: 1 },
      maxUSD: { type: 'number', exclusiveMinimum: 0 },
    }),
    concurrency: { type: 'integer', minimum: 1, maximum: 32 },
  },
  ['systemPrompt', 'userPrompt', 'model', 'tools'],
);
