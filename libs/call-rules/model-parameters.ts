import { type JsonObject, refusedAt, reject, type Rejection } from '#lib/kernel';

/** The parameters of a request to a model. Members that are absent, or null, are not sent. */
export type ModelParameters = {
  readonly temperature?: number | null;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxTokens?: number;
  /** Default `max_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly reasoningEffort?: string;
  /** Sent only with tools. */
  readonly toolChoice?: string | JsonObject;
  /** Sent only with tools. */
  readonly parallelToolCalls?: boolean;
  readonly stop?: string | readonly string[];
  /** The model is asked for JSON of a schema, in place of a tool call. */
  readonly responseFormat?: 'json_schema';
  /** The reply comes in parts, which are shown while the model writes. */
  readonly stream?: boolean;
  /** Members of the body without a parameter here. */
  readonly extraBody?: JsonObject;
};

/** Members of the body that the engine sets. */
const ENGINE_MEMBERS = ['model', 'messages', 'tools', 'stream', 'response_format'];

/** A member of `extraBody` that the engine sets; `undefined` if there is none. */
export function engineMember({ extraBody = {} }: ModelParameters): string | undefined {
  return ENGINE_MEMBERS.find((name) => Object.hasOwn(extraBody, name));
}

/**
 * The refusal of parameters that replace others, if their `extraBody` sets a member that the engine sets.
 * @param base the JSON pointer to them in the input
 */
export function engineMemberRefusal(base: string, parameters: ModelParameters = {}): Rejection | undefined {
  const member = engineMember(parameters);
  if (member === undefined) return undefined;
  const text = {
    what: 'the model parameters',
    why: `their extraBody sets ${member}, which the engine sets`,
    fix: 'Leave that member out',
  };
  return refusedAt(`${base}/extraBody/${member}`, reject('refused', 'invalid-parameters', text));
}

const text = { type: 'string' };

const members: JsonObject = {
  temperature: { type: ['number', 'null'] },
  topP: { type: 'number' },
  seed: { type: 'integer' },
  maxTokens: { type: 'integer', minimum: 1 },
  maxTokensField: { enum: ['max_tokens', 'max_completion_tokens'] },
  reasoningEffort: text,
  toolChoice: { type: ['string', 'object'] },
  parallelToolCalls: { type: 'boolean' },
  stop: { anyOf: [text, { type: 'array', items: text }] },
  stream: { type: 'boolean' },
};

/** The model parameters of a specialist. Its `extraBody` must not set a member that `engineMember` finds. */
export const modelParametersSchema: JsonObject = {
  type: 'object',
  properties: { ...members, responseFormat: { enum: ['json_schema'] }, extraBody: { type: 'object' } },
  additionalProperties: false,
};

/** Parameters that replace others, of a family that chooses the form of its answers itself. `engineMemberRefusal` checks them. */
export const otherParametersSchema: JsonObject = {
  type: 'object',
  properties: { ...members, extraBody: { type: 'object' } },
  additionalProperties: false,
};

/** The model parameters of a family that chooses the form of its answers itself. */
export const plainParametersSchema: JsonObject = {
  type: 'object',
  properties: {
    ...members,
    extraBody: { type: 'object', propertyNames: { not: { enum: ENGINE_MEMBERS } } },
  },
  additionalProperties: false,
};
