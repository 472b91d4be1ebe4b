import { isJsonObject, type Json, type JsonObject, jsonText, sha256, thrownText } from '#lib/kernel';
import type { Outcome } from './activity/activity.js';
import type { CallStep, Happened } from './run-in-memory.js';

/** The answer of a model. A client may give it in place of an OpenAI-compatible completion. */
export interface LlmAnswer {
  readonly content: string | null;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly name: string;
    /** An object, or its JSON text. */
    readonly arguments: JsonObject | string;
  }[];
  readonly finishReason?: 'stop' | 'tool_calls' | 'length' | 'content_filter';
}

/** Calls a model. For the body of a request it gives an OpenAI-compatible completion, or the answer alone. */
export interface LlmClient {
  complete(body: JsonObject, signal?: AbortSignal): Promise<JsonObject | LlmAnswer>;
}

/** The outcome of a model call in a run in memory. An error that the client throws becomes the failure. */
export async function completedBy(llm: LlmClient, call: CallStep, signal: AbortSignal): Promise<Happened> {
  const outcome = await answeredBy(llm, call, signal);
  return 'completed' in outcome
    ? { type: 'LlmCallCompleted', data: { stepId: call.id, ...outcome.completed } }
    : { type: 'LlmCallFailed', data: { stepId: call.id, ...outcome.failed } };
}

/** The outcome of a model call that a client answers. */
export function answeredBy(llm: LlmClient, { input }: CallStep, signal: AbortSignal): Promise<Outcome> {
  return outcomeOf(async () => {
    const given = await llm.complete((input as { readonly body: JsonObject }).body, signal);
    const content = jsonText(completionOf(given as JsonObject));
    const body = { encoding: 'utf8', content, sha256: sha256(content) };
    return { status: 200, responseHeaders: {}, body };
  });
}

/** The outcome of a call that the caller performs. An error that it throws becomes the failure. */
export async function outcomeOf(perform: () => Promise<JsonObject>): Promise<Outcome> {
  try {
    return { completed: { ...(await perform()), durationMs: 0 } };
  } catch (error) {
    return { failed: { failure: failureOf(error) } };
  }
}

/** The completion in the form of an OpenAI-compatible reply. */
function completionOf(given: JsonObject): JsonObject {
  if (given['choices'] !== undefined || given['error'] !== undefined) return given;
  const { content = null, toolCalls, finishReason, ...rest } = given;
  const calls = (Array.isArray(toolCalls) ? (toolCalls as readonly Json[]) : []).map((call) => {
    const { id = null, name = null, arguments: args = {} } = isJsonObject(call) ? call : {};
    return {
      id,
      type: 'function',
      function: { name, arguments: typeof args === 'string' ? args : jsonText(args) },
    };
  });
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
  const choice = { index: 0, message, ...(finishReason !== undefined && { finish_reason: finishReason }) };
  return { ...rest, choices: [choice] };
}

/** The failure of a call in which a function of the caller threw this error. */
export function failureOf(error: unknown) {
  const message = thrownText(error);
  return { kind: 'function', message, retryable: false, durationMs: 0 };
}

/** The route of a model that the caller itself calls. */
export function routeInMemory(modelId: string) {
  return { modelId, model: modelId, flags: {}, provider: '', url: '', timeoutMs: 0, maxAttempts: 1 };
}
