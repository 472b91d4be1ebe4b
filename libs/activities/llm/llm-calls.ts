import {
  completionIn,
  holdsTooMuch,
  type RecordedBody,
  TOO_MUCH_IN_REPLY,
  USUAL_REQUEST_HEADERS,
} from '#lib/call-rules';
import { stopwatch } from '#lib/workflow';
import { jsonText } from '#lib/kernel';
import { type CallFailure, callFailure, INTERRUPTED } from '../http/call-failure.js';
import type { HttpReply } from '../http/http-exchange.js';
import {
  beginningOf,
  receivedReply,
  recordedBody,
  recordedReplyHeaders,
  recordedRequestHeaders,
} from '../http/recorded-exchange.js';
import { Redactor } from '../redaction/redactor.js';
import { ChatClient, type ChatExchange } from './chat-client.js';
import { type LlmConfig, llmSecrets } from './llm-config.js';
import type { LlmOutcome, ModelCalls, ModelRequest } from './model-calls.js';
import { StreamedDeltas, withoutSecrets } from './streamed-deltas.js';

/** Performs calls of an OpenAI-compatible API. One request is at most one HTTP request. */
export class LlmCalls implements ModelCalls {
  private readonly client: ChatClient;

  /** @param redactor default: one that knows only the secrets of this configuration */
  constructor(
    config: LlmConfig,
    private readonly redactor = new Redactor(llmSecrets(config)),
  ) {
    this.client = new ChatClient(config);
  }

  /**
   * Sends `requestBody` unchanged. Every whole reply is `completed`, with any status and body. A reply that is not whole, cannot be decoded, or has
   * more members than one reply may have is `failed`, with its received part. `durationMs` is in whole milliseconds from the connection to the last
   * byte. Known secrets are removed from all of it.
   * @param emit shows the text of a streamed reply while it comes
   */
  async perform(
    { requestBody, labels: _, ...limits }: ModelRequest,
    signal: AbortSignal,
    emit: (text: string) => void = () => undefined,
  ): Promise<LlmOutcome> {
    const elapsed = stopwatch();
    const { timeoutMs } = limits;
    if (signal.aborted) return this.failed(INTERRUPTED, elapsed());
    const deltas = requestBody['stream'] === true ? this.deltas(elapsed, emit) : undefined;
    const onBytes = (bytes: Buffer, status: number) => void (status === 200 && deltas?.take(bytes));
    const exchange = await this.client.exchange(requestBody, {
      ...limits,
      signal,
      ...(deltas && { onBytes }),
    });
    const durationMs = elapsed();
    deltas?.end();
    const { outcome } = exchange;
    if ('reply' in outcome) return this.completed(exchange, outcome.reply, durationMs, deltas?.firstTokenMs);
    const cause = signal.aborted ? INTERRUPTED : callFailure(outcome.error, outcome.timedOut, timeoutMs);
    return this.failed(cause, durationMs, exchange);
  }

  private deltas(elapsed: () => number, emit: (text: string) => void): StreamedDeltas {
    return new StreamedDeltas(elapsed, withoutSecrets(this.redactor, emit));
  }

  private async completed(
    { requestHeaders }: ChatExchange,
    { status, headers, body }: HttpReply,
    durationMs: number,
    firstTokenMs: number | undefined,
  ): Promise<LlmOutcome> {
    const sent = recordedRequestHeaders(requestHeaders, this.redactor);
    const responseHeaders = recordedReplyHeaders(headers, this.redactor);
    const recorded = await this.recordedBody(body, firstTokenMs !== undefined);
    if (holdsTooMuch(recorded)) {
      const failure = { kind: 'unusable-reply', message: TOO_MUCH_IN_REPLY, retryable: false, durationMs };
      const received = { status, responseHeaders, body: beginningOf(recorded) };
      return { failed: { failure, requestHeaders: sent, received } };
    }
    const completed = {
      status,
      ...(jsonText(sent) !== jsonText(USUAL_REQUEST_HEADERS) && { requestHeaders: sent }),
      responseHeaders,
      body: recorded,
      durationMs,
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    };
    return { completed };
  }

  /** The recorded body. If a secret is split over the parts of a stream, the completion of the stream is recorded instead. */
  private async recordedBody(bytes: Buffer, isStream: boolean): Promise<RecordedBody> {
    const body = await recordedBody(bytes, this.redactor);
    const completion = isStream ? jsonText(completionIn(body) ?? {}) : '';
    const redacted = this.redactor.text(completion);
    return redacted === completion ? body : recordedBody(Buffer.from(redacted), this.redactor);
  }

  private async failed(cause: CallFailure, durationMs: number, exchange?: ChatExchange): Promise<LlmOutcome> {
    const failure = { ...cause, message: this.redactor.text(cause.message), durationMs };
    if (!exchange) return { failed: { failure } };
    const { requestHeaders: sent, outcome } = exchange;
    const requestHeaders = recordedRequestHeaders(sent, this.redactor);
    const received = await receivedReply('error' in outcome && outcome.error, this.redactor);
    return { failed: { failure, requestHeaders, ...received } };
  }
}
