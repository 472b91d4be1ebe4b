import {
  type CompletedToolCall,
  completionBody,
  type LlmOutcome,
  streamedBody,
  toolCallsMessage,
} from '#lib/activities';
import { type JsonObject, sha256 } from '#lib/kernel';

/** A reply without a delay. */
export type PlainReply =
  | string
  | { readonly toolCall: CompletedToolCall }
  | { readonly toolCalls: readonly CompletedToolCall[] }
  /** Text that is this value's JSON. */
  | { readonly json: unknown }
  /** Any HTTP reply; an object is its JSON text. */
  | { readonly status: number; readonly body: string | object }
  /** The call fails: `network` for a connection that broke. */
  | { readonly error: 'network' | 'timeout' | 'interrupted'; readonly message?: string }
  /** Text in these parts. */
  | { readonly stream: readonly string[] };

/** A reply of a model; with `delayMs` it comes that much later, by the clock of the engine. */
export type ScriptedReply = PlainReply | { readonly delayMs: number; readonly reply: PlainReply };

type Emit = (text: string) => void;

/** The outcome of a call with this reply. */
export function outcomeOf(
  reply: PlainReply,
  request: JsonObject,
  emit: Emit,
  durationMs: number,
): LlmOutcome {
  if (typeof reply === 'object' && 'error' in reply) {
    const { error: kind, message = 'The connection broke before a whole reply had come.' } = reply;
    return { failed: { failure: { kind, message, retryable: true, durationMs } } };
  }
  if (typeof reply === 'object' && 'status' in reply) {
    const content = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    return completed(reply.status, content, 'application/json', durationMs);
  }
  return completion(reply, request, emit, durationMs);
}

type Completing = Exclude<PlainReply, { readonly status: number } | { readonly error: string }>;

function completion(reply: Completing, request: JsonObject, emit: Emit, durationMs: number): LlmOutcome {
  const { message, parts } = messageOf(reply);
  const finishReason = 'tool_calls' in message ? 'tool_calls' : 'stop';
  if (request['stream'] !== true) {
    const body = completionBody(message, finishReason, nameIn(request));
    return completed(200, body, 'application/json', durationMs);
  }
  for (const part of parts) emit(part);
  return completed(200, streamedBody(message, finishReason, parts), 'text/event-stream', durationMs);
}

function messageOf(reply: Completing): { readonly message: JsonObject; readonly parts: readonly string[] } {
  if (typeof reply === 'string') return text([reply]);
  if ('stream' in reply) return text(reply.stream);
  if ('json' in reply) return text([JSON.stringify(reply.json)]);
  const calls = 'toolCall' in reply ? [reply.toolCall] : reply.toolCalls;
  return { message: toolCallsMessage(calls), parts: [] };
}

function nameIn({ model }: JsonObject): string {
  return typeof model === 'string' ? model : 'scripted';
}

function text(parts: readonly string[]) {
  return { message: { role: 'assistant', content: parts.join('') }, parts };
}

function completed(status: number, content: string, type: string, durationMs: number): LlmOutcome {
  const body = { encoding: 'utf8', content, sha256: sha256(content) } as const;
  const responseHeaders = { 'content-type': type };
  return { completed: { status, responseHeaders, body, durationMs } };
}
