import type { JsonObject } from '#lib/kernel';
import OpenAI from 'openai';
import { httpExchange, type HttpReply } from '../http/http-exchange.js';
import { chatCompletionsUrl } from '../http/public-url.js';
import type { LlmConfig } from './llm-config.js';

/** What went over the wire for one call. No `requestHeaders`: nothing was sent. */
export interface ChatExchange {
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly outcome: { readonly reply: HttpReply } | { readonly error: unknown };
}

/** The longest time a timer can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * One request through the OpenAI client, seen at the wire: whatever the client makes of the reply (it throws for every status but 2xx),
 * the reply itself is what is given back. The client gets no chance to retry, to log, or to read settings of its own.
 */
export async function chatExchange(
  config: LlmConfig,
  body: JsonObject,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ChatExchange> {
  const wire: { requestHeaders?: Readonly<Record<string, string>>; reply?: HttpReply } = {};
  const client = clientOf(config, async (input, init) => {
    wire.requestHeaders = Object.fromEntries(new Headers(init?.headers));
    wire.reply = await httpExchange({
      url: new URL(input instanceof Request ? input.url : input),
      headers: wire.requestHeaders,
      body: init?.body as string,
      signal: init?.signal ?? limits.signal,
    });
    return asResponse(wire.reply);
  });
  return client;
}
