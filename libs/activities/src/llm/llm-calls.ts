import type { LlmCallCompleted, LlmCallFailed, LlmCallRequested } from '#lib/solicitation';
import { type CallFailure, callFailure, INTERRUPTED } from '../http/call-failure.js';
import type { HttpReply } from '../http/http-exchange.js';
import { receivedReply } from '../http/received-reply.js';
import { recordedBody } from '../http/recorded-body.js';
import { recordedReplyHeaders, recordedRequestHeaders } from '../http/recorded-headers.js';
import { withLinkedSignal } from '../linked-signal.js';
import { Redactor } from '../redaction/redactor.js';
import { stopwatch } from '../stopwatch.js';
import { waitBeforeCall } from '../wait-before-call.js';
import { type ChatExchange, chatExchange } from './chat-exchange.js';
import type { LlmConfig } from './llm-config.js';
import { llmSecrets } from './llm-secrets.js';

type Request = Pick<LlmCallRequested['data'], 'callId' | 'delayMs' | 'timeoutMs' | 'requestBody'>;

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
   * status and body; of a reply that is not whole or cannot be decoded, `LlmCallFailed` keeps what was received. `durationMs` is in whole milliseconds from the connection to the last byte, without the delay.
   * Known secrets are out of all of it.
   */
  perform(request: Request, signal: AbortSignal): Promise<LlmCallCompleted | LlmCallFailed> {
    return withLinkedSignal(signal, (linked) => this.performed(request, linked));
  }

  private async performed(
    { callId, delayMs, timeoutMs, requestBody }: Request,
    signal: AbortSignal,
  ): Promise<LlmCallCompleted | LlmCallFailed> {
    const mayGoOn = await waitBeforeCall(delayMs, signal);
    const elapsed = stopwatch();
    const exchange = mayGoOn
      ? await chatExchange(this.config, requestBody, { timeoutMs, signal })
      : undefined;
    const durationMs = elapsed();
    if (!exchange) return this.failed(callId, INTERRUPTED, durationMs);
    const { outcome } = exchange;
    if ('reply' in outcome) return this.completed(callId, exchange, outcome.reply, durationMs);
    const cause = signal.aborted ? INTERRUPTED : callFailure(outcome.error, outcome.timedOut, timeoutMs);
    return this.failed(callId, cause, durationMs, exchange);
  }

  private async completed(
    callId: string,
    { requestHeaders }: ChatExchange,
    { status, headers, body }: HttpReply,
    durationMs: number,
  ): Promise<LlmCallCompleted> {
    const data = {
      callId,
      status,
      requestHeaders: recordedRequestHeaders(requestHeaders, this.redactor),
      responseHeaders: recordedReplyHeaders(headers, this.redactor),
      body: await recordedBody(body, this.redactor),
      durationMs,
    };
    return { type: 'LlmCallCompleted', data };
  }

  private async failed(
    callId: string,
    cause: CallFailure,
    durationMs: number,
    exchange?: ChatExchange,
  ): Promise<LlmCallFailed> {
    const failure = { ...cause, message: this.redactor.text(cause.message), durationMs };
    if (!exchange) return { type: 'LlmCallFailed', data: { callId, failure } };
    const { requestHeaders: sent, outcome } = exchange;
    const requestHeaders = recordedRequestHeaders(sent, this.redactor);
    const received = await receivedReply('error' in outcome && outcome.error, this.redactor);
    return { type: 'LlmCallFailed', data: { callId, failure, requestHeaders, ...received } };
  }
}
