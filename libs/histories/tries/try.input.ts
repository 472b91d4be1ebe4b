import type { ModelParameters } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';

/** The changes of a recorded request. A type, not an interface: it is the input of a run. */
export type TryInput = {
  /** Of the call that is tried again. */
  readonly callId: string;
  readonly modelId: string;
  /** In place of all that were sent. */
  readonly modelParameters?: ModelParameters;
  /** In place of all that were sent. */
  readonly messages?: readonly Json[];
  /** The answer holds the reasoning beside the arguments: the request was made so. */
  readonly asksReasoning?: true;
};

/** A try as its caller asks for it. */
export type AskedTry = Omit<TryInput, 'modelId' | 'asksReasoning'> & {
  /** Default: the model of the call. */
  readonly modelId?: string;
};

export const messagesSchema = {
  type: 'array',
  minItems: 1,
  maxItems: 10_000,
  items: { type: 'object', properties: { role: { type: 'string' } }, required: ['role'] },
} as const satisfies JsonObject;

export const tryInput = {
  type: 'object',
  properties: {
    callId: { type: 'string' },
    modelId: { type: 'string' },
    modelParameters: { type: 'object' },
    messages: messagesSchema,
    asksReasoning: { const: true },
  },
  required: ['callId', 'modelId'],
  additionalProperties: false,
} as const satisfies JsonObject;
