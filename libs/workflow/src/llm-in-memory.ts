import { type JsonObject, jsonText, sha256 } from '#lib/kernel';
import type { CallStep, Happened } from './run-in-memory.js';

/** Calls a model: an OpenAI-compatible completion for the body of a request. */
export interface LlmClient {
  complete(body: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}

/** The outcome of a call of a model in a run in memory. What the client throws is its failure. */
export async function completedBy(
  llm: LlmClient,
  { id: stepId, input }: CallStep,
  signal: AbortSignal,
): Promise<Happened> {
  try {
    const content = jsonText(await llm.complete((input as { readonly body: JsonObject }).body, signal));
    const body = { encoding: 'utf8', content, sha256: sha256(content) };
    return { type: 'LlmCallCompleted', data: { stepId, status: 200, responseHeaders: {}, body } };
  } catch (error) {
    return { type: 'LlmCallFailed', data: { stepId, failure: failureOf(error) } };
  }
}

/** An error that a function of the caller threw, as the failure of its call. */
export function failureOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'function', message, retryable: false, durationMs: 0 };
}

/** The route of a model that the caller calls. */
export function routeInMemory(modelId: string) {
  return { modelId, model: modelId, flags: {}, provider: '', url: '', timeoutMs: 0, maxAttempts: 1 };
}
