import type { ActivityFailure, Outcome } from '#lib/workflow';
import { type Json, type JsonObject, sha256 } from '#lib/kernel';
import type { Scripted } from './ladder.js';

/** Members of a model's reply besides the choice. */
export interface ReplyDetails {
  readonly content?: string | null;
  readonly usage?: JsonObject;
  readonly durationMs?: number;
}

/** The model calls a tool. `args` is sent as JSON text; a text is sent unchanged. */
export function toolCall(name: string, args: Json, details: ReplyDetails = {}): Scripted {
  return toolCalls(
    [{ id: 'call_1', type: 'function', function: { name, arguments: asText(args) } }],
    details,
  );
}

/** The model's `tool_calls`, as given. */
export function toolCalls(calls: Json, { content = null, ...details }: ReplyDetails = {}): Scripted {
  return message({ role: 'assistant', content, tool_calls: calls }, details);
}

/** The model answers with text. */
export function text(content: string, details: ReplyDetails = {}): Scripted {
  return message({ role: 'assistant', content }, details);
}

/** The model answers with text that is this decision. */
export function decision(value: Json, details?: ReplyDetails): Scripted {
  return text(JSON.stringify(value), details);
}

function message(message: JsonObject, { usage, durationMs }: ReplyDetails): Scripted {
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return httpReply(200, { model: 'gpt-test-2026', choices, ...(usage && { usage }) }, { durationMs });
}

/** Any HTTP reply. `body` is sent as JSON; a text is sent unchanged. */
export function httpReply(
  status: number,
  body: Json,
  {
    headers = {},
    durationMs = 10,
  }: { headers?: Record<string, string>; durationMs?: number | undefined } = {},
): Scripted {
  return answering('llm', { completed: storedReply(status, body, headers, durationMs) });
}

/** Any HTTP reply of a webhook. `body` is sent as JSON; a text is sent unchanged. */
export function webhookReply(
  status: number,
  body: Json,
  { headers = {}, durationMs = 8 }: { headers?: Record<string, string>; durationMs?: number } = {},
): Scripted {
  return answering('webhook', { completed: storedReply(status, body, headers, durationMs) });
}

function storedReply(status: number, body: Json, headers: Record<string, string>, durationMs: number) {
  const content = asText(body);
  return {
    status,
    requestHeaders: { authorization: '[REDACTED]' },
    responseHeaders: { 'content-type': 'application/json', ...headers },
    body: { encoding: 'utf8', content, sha256: sha256(content) },
    durationMs,
  } as const;
}

/** The call ends without a whole reply. */
export function noReply(failure: Partial<ActivityFailure> = {}): Scripted {
  return answering('llm', failing({ ...refusedConnection, ...failure }));
}

/** The call of a webhook ends without a whole reply. */
export function noWebhookReply(failure: Partial<ActivityFailure> = {}): Scripted {
  return answering('webhook', failing({ ...refusedConnection, ...failure }));
}

const refusedConnection: ActivityFailure = {
  kind: 'network',
  message: 'connect ECONNREFUSED',
  retryable: true,
  durationMs: 5,
};

export function contextText(text: string, durationMs = 3): Scripted {
  return functionResult(text, durationMs);
}

export function strategyResult(result: Json, durationMs = 4): Scripted {
  return functionResult(result, durationMs);
}

function functionResult(result: Json, durationMs: number): Scripted {
  return answering('function', { completed: { result, durationMs } });
}

/** A registered function throws. */
export function functionThrows(message: string): Scripted {
  return answering('function', failing({ kind: 'function', message, retryable: false, durationMs: 2 }));
}

function failing(failure: ActivityFailure): Outcome {
  return { failed: { failure } };
}

function answering(expected: string, outcome: Outcome): Scripted {
  return ({ activity, stepId }) => {
    if (activity === expected) return outcome;
    throw new Error(`The script answers a call of ${expected}; what came is ${activity} ${stepId}.`);
  };
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
