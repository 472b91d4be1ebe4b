import type { ModelParameters } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';

/** The changes of a recorded request. A type and not an interface: it is the input of a run. */
export type TryInput = {
  /** The recorded call. */
  readonly callId: string;
  readonly modelId: string;
  /** Replace all parameters of the request. */
  readonly modelParameters?: ModelParameters;
  /** Replace all messages of the request. */
  readonly messages?: readonly Json[];
  /** The recorded request asks for the reasoning beside the arguments. */
  readonly asksReasoning?: true;
};

/** The request of a caller. */
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
