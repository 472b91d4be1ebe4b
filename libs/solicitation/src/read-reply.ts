import { isJsonObject, type JsonObject } from '#lib/kernel';
import type { SolicitationFailure } from '#lib/session';
import {
  excerpt,
  isWorthAnotherAttempt,
  parseReplyObject,
  retryAfter,
  type StoredReply,
} from '#lib/legacy-workflow';

export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** The first tool call of a reply, its arguments still as text. */
export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  readonly argumentsText: string;
}

export interface Completion {
  readonly kind: 'completion';
  /** "" where the reply has none. */
  readonly content: string;
  /** Only the first of several counts. */
  readonly toolCall?: ToolCall;
  readonly usage?: Usage;
  /** The model that says it answered. */
  readonly resolvedModel?: string;
}

/** An HTTP error, or a body that is no completion. Never a reason to fall back: it may have cost money already. */
export interface FailedReply {
  readonly kind: 'failed';
  readonly failure: SolicitationFailure;
  /** Whether the same request may be sent again, where retries are switched on. */
  readonly retryable: boolean;
  /** Milliseconds the provider asks to wait before that; absent where it does not say. */
  readonly retryAfterMs?: number;
}

export type Reply = Completion | FailedReply;

/** Reads a stored reply of an OpenAI-compatible API. */
export function readReply({ status, body, responseHeaders }: StoredReply): Reply {
  const text = body.content;
  if (status < 200 || status > 299) {
    const retryable = isWorthAnotherAttempt(status);
    const failure = {
      kind: 'http-error',
      message: `LLM API error (${status}): ${excerpt(text)}`,
      upstreamStatus: status,
    } as const;
    return { kind: 'failed', failure, retryable, ...retryAfter(responseHeaders) };
  }
  const value = body.encoding === 'utf8' ? parseReplyObject(text) : undefined;
  if (!value) return unusable(status, `LLM API reply is not a JSON object: ${excerpt(text)}`);
  return readCompletion(status, value);
}

function readCompletion(status: number, value: JsonObject): Reply {
  if (isJsonObject(value['error']))
    return unusable(status, `LLM API reply is an error: ${excerpt(JSON.stringify(value['error']))}`);
  const choices = value['choices'];
  if (!Array.isArray(choices)) return unusable(status, 'LLM API reply has no choices');
  const [choice] = choices as unknown[];
  if (choice === undefined) return unusable(status, 'LLM API reply has zero choices');
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  if (!isJsonObject(message)) return unusable(status, 'LLM API reply has a choice without a message');
  const toolCall = firstToolCall(message['tool_calls']);
  const usage = readUsage(value['usage']);
  const { content } = message;
  return {
    kind: 'completion',
    content: typeof content === 'string' ? content : '',
    ...(toolCall && { toolCall }),
    ...(usage && { usage }),
    ...(typeof value['model'] === 'string' && { resolvedModel: value['model'] }),
  };
}

function unusable(status: number, message: string): FailedReply {
  return {
    kind: 'failed',
    failure: { kind: 'unusable-reply', message, upstreamStatus: status },
    retryable: false,
  };
}

function firstToolCall(calls: unknown): ToolCall | undefined {
  if (!Array.isArray(calls) || calls.length === 0) return undefined;
  const [call] = calls as unknown[];
  const called = isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : {};
  const id = isJsonObject(call) ? call['id'] : undefined;
  const { name, arguments: args } = called;
  return {
    ...(typeof id === 'string' && { id }),
    name: typeof name === 'string' ? name : '',
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args ?? ''),
  };
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
  return {
    ...(isCount(promptTokens) && { promptTokens }),
    ...(isCount(completionTokens) && { completionTokens }),
  };
}

/** JSON has numbers, such as 1e999, that no event can hold. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
