import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { withTimeLimit } from '#lib/workflow';
import type { JsonObject } from '#lib/kernel';
import { httpExchange, type HttpReply, type HttpRequest } from '../http/http-exchange.js';
import { chatCompletionsUrl } from '../http/public-url.js';
import type { LlmConfig } from './llm-config.js';

/** One call, as seen at the wire. */
export interface ChatExchange {
  /** Names in lower case. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly outcome: { readonly reply: HttpReply } | { readonly error: unknown; readonly timedOut: boolean };
}

interface CallLimits extends Pick<HttpRequest, 'onBytes' | 'firstByteTimeoutMs' | 'idleTimeoutMs'> {
  /** For the whole reply, from the connection to the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One OpenAI-compatible API. */
export class ChatClient {
  #url: URL | undefined;
  #connections: Agent | undefined;

  constructor(private readonly config: LlmConfig) {}

  /** One request, whose body is the JSON text of `body`. */
  exchange(body: JsonObject, { timeoutMs, signal, ...parts }: CallLimits): Promise<ChatExchange> {
    const url = (this.#url ??= chatCompletionsUrl(this.config.baseUrl, this.config.query));
    return withTimeLimit(signal, timeoutMs, async (limited) => {
      let requestHeaders: ChatExchange['requestHeaders'] = {};
      try {
        requestHeaders = headersOf(this.config);
        const connections = (this.#connections ??= keptConnections(url));
        const request = { url, headers: requestHeaders, body: JSON.stringify(body), signal: limited };
        return {
          requestHeaders,
          outcome: { reply: await httpExchange({ ...request, ...parts, connections }) },
        };
      } catch (error) {
        return { requestHeaders, outcome: { error, timedOut: limited.aborted } };
      }
    });
  }
}

/** Those of the configuration count more. @throws TypeError for a name or a value that no header can have */
function headersOf({ apiKey, headers = {} }: LlmConfig): ChatExchange['requestHeaders'] {
  const all = new Headers({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'redial',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return Object.fromEntries(all);
}

/** Shorter than servers keep a connection that is idle, so that few are closed at the moment they are used. */
const IDLE_MS = 4_000;
const MOST_IDLE = 64;

/**
 * The connections to one API, each kept for the calls that follow. A call that fails on a kept connection fails like any other:
 * Node never repeats a request.
 */
function keptConnections({ protocol }: URL): HttpAgent {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    maxFreeSockets: MOST_IDLE,
    scheduling: 'lifo',
  } as const;
  return protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}
