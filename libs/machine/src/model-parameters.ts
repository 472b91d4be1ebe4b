import type { JsonObject } from '#lib/kernel';

/** How a model is asked. Members that are absent, or null, are left out of the request. */
export type ModelParameters = {
  readonly temperature?: number | null;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxTokens?: number;
  /** Default `max_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly reasoningEffort?: string;
  /** Sent where tools are. */
  readonly toolChoice?: string | JsonObject;
  /** Sent where tools are. */
  readonly parallelToolCalls?: boolean;
  readonly stop?: string | readonly string[];
  /** Members of the body that have no parameter here. */
  readonly extraBody?: JsonObject;
};

/** Members of the body that the engine sets. */
const OWN_MEMBERS = ['model', 'messages', 'tools', 'stream', 'response_format'];

const text = { type: 'string' };

export const modelParametersSchema: JsonObject = {
  type: 'object',
  properties: {
    temperature: { type: ['number', 'null'] },
    topP: { type: 'number' },
    seed: { type: 'integer' },
    maxTokens: { type: 'integer', minimum: 1 },
    maxTokensField: { enum: ['max_tokens', 'max_completion_tokens'] },
    reasoningEffort: text,
    toolChoice: { type: ['string', 'object'] },
    parallelToolCalls: { type: 'boolean' },
    stop: { anyOf: [text, { type: 'array', items: text }] },
    extraBody: { type: 'object', propertyNames: { not: { enum: OWN_MEMBERS } } },
  },
  additionalProperties: false,
};
