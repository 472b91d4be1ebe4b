import type { JsonObject } from '#lib/kernel';
import OpenAI from 'openai';
import { httpExchange, type HttpReply } from '../http/http-exchange.js';
import { chatCompletionsUrl } from '../http/public-url.js';
import type { LlmConfig } from './llm-config.js';

type Headers = Readonly<Record<string, string>>;

/** What was seen at the wire of one call. */
export interface ChatExchange {
  /** Names in lower case. */
  readonly requestHeaders: Headers;
  readonly outcome: { readonly reply: HttpReply } | { readonly error: unknown; readonly timedOut: boolean };
}

export interface CallLimits {
  /** For the whole reply, from the connection to the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The longest a timer can wait, and the client refuses to wait less than nothing. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * One request through the OpenAI client, seen at the wire: whatever the client makes of a reply (it throws for every status but
 * 2xx), what is given back is the exchange itself. The client gets no chance to retry, to log, or to send what its other
 * environment variables say. `undefined` when it was told to stop before anything was sent.
 */
export async function chatExchange(
  config: LlmConfig,
  body: JsonObject,
  { timeoutMs, signal }: CallLimits,
): Promise<ChatExchange | undefined> {
  let seen: ChatExchange | undefined;
  const client = chatClient(config, async (url, init) => {
    seen = await exchanged(new URL(url), init);
    if ('error' in seen.outcome) throw seen.outcome.error;
    return new Response(null, { status: seen.outcome.reply.status });
  });
  try {
    const timeout = Math.min(timeoutMs, MAX_TIMEOUT_MS);
    await client.post(chatCompletionsUrl(config.baseUrl).href, { body, timeout, signal }).asResponse();
  } catch (error) {
    // What the client throws after an exchange is about that exchange.
    if (!seen && !signal.aborted) throw error;
  }
  return seen;
}

function chatClient({ apiKey = '', baseUrl }: LlmConfig, fetch: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl,
    fetch,
    maxRetries: 0,
    logLevel: 'off',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  });
}

async function exchanged(url: URL, init: RequestInit = {}): Promise<ChatExchange> {
  const requestHeaders = Object.fromEntries(new Headers(init.headers));
  // The client always gives a signal: its time limit and the caller's signal in one.
  const signal = init.signal ?? new AbortController().signal;
  try {
    const request = { url, headers: requestHeaders, body: init.body as string, signal };
    return { requestHeaders, outcome: { reply: await httpExchange(request) } };
  } catch (error) {
    return { requestHeaders, outcome: { error, timedOut: signal.aborted } };
  }
}
