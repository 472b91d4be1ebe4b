import { setTimeout as wait } from 'node:timers/promises';
import type { LlmCallCompleted, LlmCallFailed, LlmCallRequested } from '#lib/solicitation';
import type { ActivityFailure } from '#lib/workflow';
import type { HttpReply } from '../http/http-exchange.js';
import { UnusableReply } from '../http/unusable-reply.js';
import { withLinkedSignal } from '../linked-signal.js';
import { messageOf } from '../message-of.js';
import { Redactor } from '../redactor.js';
import { stopwatch } from '../stopwatch.js';
import { type ChatExchange, chatExchange } from './chat-exchange.js';
import type { LlmConfig } from './llm-config.js';
import { llmSecrets } from './llm-secrets.js';
import { recordedBody } from './recorded-body.js';
import { recordedReplyHeaders, recordedRequestHeaders } from './recorded-headers.js';

type Request = Pick<LlmCallRequested['data'], 'callId' | 'delayMs' | 'timeoutMs' | 'requestBody'>;

/** Why a call came to nothing, as it is known before it is worded and timed. */
type Cause = Pick<ActivityFailure, 'kind' | 'message' | 'retryable'>;

const INTERRUPTED: Cause = {
  kind: 'interrupted',
  message: 'The call was given up before its reply had come.',
  retryable: true,
};

/** Performs calls of an OpenAI-compatible API. One request is at most one HTTP request. */
export class LlmCalls {
  private readonly redactor: Redactor;

  constructor(
    private readonly config: LlmConfig,
    secrets: readonly string[] = [],
  ) {
    this.redactor = new Redactor([...llmSecrets(config), ...secrets]);
  }

  /**
   * Waits `delayMs`, sends `requestBody` as it is, and records what came: every whole reply is `LlmCallCompleted`, whatever its
   * status and body. `durationMs` is in whole milliseconds from the connection to the last byte, without the delay.
   * Known secrets are out of all of it.
   */
  perform(request: Request, signal: AbortSignal): Promise<LlmCallCompleted | LlmCallFailed> {
    return withLinkedSignal(signal, (linked) => this.performed(request, linked));
  }

  private async performed(
    { callId, delayMs, timeoutMs, requestBody }: Request,
    signal: AbortSignal,
  ): Promise<LlmCallCompleted | LlmCallFailed> {
    const mayGoOn = await waited(delayMs, signal);
    const elapsed = stopwatch();
    const exchange = mayGoOn
      ? await chatExchange(this.config, requestBody, { timeoutMs, signal })
      : undefined;
    const durationMs = elapsed();
    if (!exchange) return this.failed(callId, INTERRUPTED, durationMs);
    const { outcome } = exchange;
    if ('reply' in outcome) return this.completed(callId, exchange, outcome.reply, durationMs);
    const cause = signal.aborted ? INTERRUPTED : causeOf(outcome.error, outcome.timedOut, timeoutMs);
    return this.failed(callId, cause, durationMs, exchange);
  }

  private completed(
    callId: string,
    { requestHeaders }: ChatExchange,
    { status, headers, body }: HttpReply,
    durationMs: number,
  ): LlmCallCompleted {
    const data = {
      callId,
      status,
      requestHeaders: recordedRequestHeaders(requestHeaders, this.redactor),
      responseHeaders: recordedReplyHeaders(headers, this.redactor),
      body: recordedBody(body, this.redactor),
      durationMs,
    };
    return { type: 'LlmCallCompleted', data };
  }

  private failed(callId: string, cause: Cause, durationMs: number, exchange?: ChatExchange): LlmCallFailed {
    const failure = { ...cause, message: this.redactor.text(cause.message), durationMs };
    const sent = exchange && {
      requestHeaders: recordedRequestHeaders(exchange.requestHeaders, this.redactor),
    };
    return { type: 'LlmCallFailed', data: { callId, failure, ...sent } };
  }
}

/** False when the signal came first. */
async function waited(delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

function causeOf(error: unknown, timedOut: boolean, timeoutMs: number): Cause {
  if (timedOut)
    return { kind: 'timeout', message: `No whole reply came within ${timeoutMs} ms.`, retryable: true };
  if (error instanceof UnusableReply) return { kind: 'unusable', message: error.message, retryable: false };
  return { kind: 'network', message: messageOf(error), retryable: true };
}
