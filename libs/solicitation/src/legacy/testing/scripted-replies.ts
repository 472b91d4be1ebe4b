import { type Json, type JsonObject, sha256 } from '#lib/kernel';
import type { ActivityFailure } from '#lib/legacy-workflow';
import type { ScriptedOutcome } from '#lib/legacy-workflow/testing';
import type { SolicitationEvent } from '../solicitation.events.js';
import type { SolicitationRequest } from '../solicitation.state.js';
import { solicitation } from '../solicitation.workflow.js';

type Scripted = ScriptedOutcome<SolicitationEvent>;

/** What a reply of a model may say besides the choice. */
export interface ReplyDetails {
  readonly content?: string | null;
  readonly usage?: JsonObject;
  readonly durationMs?: number;
}

/** The model calls a tool. `args` is sent as JSON text; a text is sent as it is. */
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

/** Any HTTP reply. `body` is sent as JSON; a text is sent as it is. */
export function httpReply(
  status: number,
  body: Json,
  {
    headers = {},
    durationMs = 10,
  }: { headers?: Record<string, string>; durationMs?: number | undefined } = {},
): Scripted {
  const reply = storedReply(status, body, headers, durationMs);
  return answering('LlmCallRequested', (callId) => ({
    type: 'LlmCallCompleted',
    data: { callId, ...reply },
  }));
}

/** Any HTTP reply of a webhook. `body` is sent as JSON; a text is sent as it is. */
export function webhookReply(
  status: number,
  body: Json,
  { headers = {}, durationMs = 8 }: { headers?: Record<string, string>; durationMs?: number } = {},
): Scripted {
  const reply = storedReply(status, body, headers, durationMs);
  return answering('WebhookCallRequested', (callId) => ({
    type: 'WebhookCallCompleted',
    data: { callId, ...reply },
  }));
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

/** No whole reply comes. */
export function noReply(failure: Partial<ActivityFailure> = {}): Scripted {
  return failing('LlmCallRequested', { ...refusedConnection, ...failure });
}

/** No whole reply of a webhook comes. */
export function noWebhookReply(failure: Partial<ActivityFailure> = {}): Scripted {
  return failing('WebhookCallRequested', { ...refusedConnection, ...failure });
}

const refusedConnection: ActivityFailure = {
  kind: 'network',
  message: 'connect ECONNREFUSED',
  retryable: true,
  durationMs: 5,
};

export function contextText(text: string, durationMs = 3): Scripted {
  return answering('ContextRequested', (callId) => ({
    type: 'ContextCompleted',
    data: { callId, text, durationMs },
  }));
}

export function strategyResult(result: Json, durationMs = 4): Scripted {
  return answering('StrategyCallRequested', (callId) => ({
    type: 'StrategyCallCompleted',
    data: { callId, result, durationMs },
  }));
}

/** A registered function throws. */
export function functionThrows(
  what: 'ContextRequested' | 'StrategyCallRequested',
  message: string,
): Scripted {
  return failing(what, { kind: 'function', message, retryable: false, durationMs: 2 });
}

type RequestType = SolicitationRequest['type'];

function failing(expected: RequestType, failure: ActivityFailure): Scripted {
  return (request) => {
    callIdOf(request, expected);
    return solicitation.failed(request, failure);
  };
}

function answering(expected: RequestType, outcome: (callId: string) => SolicitationEvent): Scripted {
  return (request) => outcome(callIdOf(request, expected));
}

function callIdOf(request: SolicitationEvent, expected: RequestType): string {
  if (request.type === expected) return request.data.callId;
  throw new Error(`The script answers a ${expected}; what came is ${request.type}.`);
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
