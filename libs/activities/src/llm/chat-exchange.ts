import { type JsonObject, jsonText } from '#lib/kernel';
import { httpExchange, type HttpReply } from '../http/http-exchange.js';
import { chatCompletionsUrl } from '../http/public-url.js';
import { withTimeLimit } from '../time-limit.js';
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

/** One request, whose body is the JSON text of `body`, and what came of it. */
export async function chatExchange(
  config: LlmConfig,
  body: JsonObject,
  { timeoutMs, signal }: CallLimits,
): Promise<ChatExchange> {
  const requestHeaders = headersOf(config);
  const url = chatCompletionsUrl(config.baseUrl, config.query);
  return withTimeLimit(signal, timeoutMs, async (limited) => {
    try {
      const request = { url, headers: requestHeaders, body: jsonText(body), signal: limited };
      return { requestHeaders, outcome: { reply: await httpExchange(request) } };
    } catch (error) {
      return { requestHeaders, outcome: { error, timedOut: limited.aborted } };
    }
  });
}

/** A header of the settings stands above the engine's own, but for the type of the body. */
function headersOf({ apiKey, headers = {} }: LlmConfig): Headers {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    accept: 'application/json',
    'user-agent': 'redial',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    ...Object.fromEntries(given),
    'content-type': 'application/json',
  };
}
