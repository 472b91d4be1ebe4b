import type { JsonObject } from '#lib/kernel';
import type { LlmCallInput } from '../llm/llm-call.events.js';
import type { ModelRoute } from './model-route.js';

/** The request of a workflow to a model. */
export type ModelRequest = Pick<LlmCallInput, 'body' | 'labels' | 'toolNames'>;

/** The input of one call: the request, and all that its route says. */
export function callInput(
  { url, provider, timeoutMs, firstByteTimeoutMs, idleTimeoutMs, price }: ModelRoute,
  attempt: number,
  asked: ModelRequest,
): JsonObject & LlmCallInput {
  return {
    url,
    provider,
    timeoutMs,
    ...(firstByteTimeoutMs !== undefined && { firstByteTimeoutMs }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    attempt,
    ...(price && { price }),
    ...asked,
  };
}
