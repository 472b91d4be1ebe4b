import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { OpenAI } from 'openai';
import { LONGEST_TIMER_MS, withTimeLimit } from '#lib/workflow';
import type { JsonObject } from '#lib/kernel';
import { httpExchange, type HttpReply, type HttpRequest } from '../http/http-exchange.js';
import { chatCompletionsUrl } from '../http/public-url.js';
import type { LlmConfig } from './llm-config.js';

/** One call as it was sent and answered. */
export interface ChatExchange {
  /** Names in lower case. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly outcome: { readonly reply: HttpReply } | { readonly error: unknown; readonly timedOut: boolean };
}

interface CallLimits {
  /** Milliseconds for the whole reply, from the connection to the last byte. */
  readonly timeoutMs: number;
  readonly firstByteTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Called with the bytes of a streamed reply. */
  readonly onBytes?: HttpRequest['onBytes'];
  readonly signal: AbortSignal;
}

type Parts = Pick<HttpRequest, 'connections' | 'onBytes' | 'firstByteTimeoutMs' | 'idleTimeoutMs'>;

/** The client passes on members of a request that it does not know. */
const PARTS = Symbol('the parts of an exchange');
type Init = RequestInit & { readonly [PARTS]?: Parts };

/**
 * One OpenAI-compatible API. The OpenAI client forms each request, and `httpExchange` performs it. The client does not see replies, so it cannot
 * retry or log, and its environment variables are not read.
 */
export class ChatClient {
  readonly #exchanges = new WeakMap<Response, ChatExchange>();
  #href: string | undefined;
  #client: Promise<OpenAI> | undefined;
  #connections: Agent | undefined;

  constructor(private readonly config: LlmConfig) {}

  /** One request, whose body is the JSON text of `body`. */
  exchange(body: JsonObject, { timeoutMs, signal, ...parts }: CallLimits): Promise<ChatExchange> {
    this.#href ??= chatCompletionsUrl(this.config.baseUrl, this.config.query).href;
    const href = this.#href;
    return withTimeLimit(signal, timeoutMs, async (limited) => {
      try {
        const fetchOptions: object = { [PARTS]: parts };
        const request = { body, signal: limited, timeout: LONGEST_TIMER_MS, fetchOptions };
        const client = await (this.#client ??= this.#openClient());
        const response = await client.post(href, request).asResponse();
        return this.#exchanges.get(response) as ChatExchange;
      } catch (error) {
        return { requestHeaders: {}, outcome: { error, timedOut: limited.aborted } };
      }
    });
  }

  /** Loads the package with the first call, because most commands make none. */
  async #openClient(): Promise<OpenAI> {
    const { OpenAI } = await import('openai');
    const { apiKey, baseUrl: baseURL, headers } = this.config;
    return new OpenAI({
      // The client takes no empty key.
      apiKey: apiKey || 'none',
      baseURL,
      defaultHeaders: { 'user-agent': 'redial', ...(!apiKey && { authorization: null }), ...headers },
      fetch: (url, init) => this.#fetch(new URL(url), init),
      maxRetries: 0,
      logLevel: 'off',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
    });
  }

  /** @returns an empty reply in place of the exchange's */
  async #fetch(url: URL, init: Init = {}): Promise<Response> {
    const response = new Response();
    this.#connections ??= keptConnections(url);
    const parts = { ...init[PARTS], connections: this.#connections };
    this.#exchanges.set(response, await exchanged(url, init, parts));
    return response;
  }
}

async function exchanged(
  url: URL,
  { headers, body, signal }: RequestInit,
  parts: Parts,
): Promise<ChatExchange> {
  const requestHeaders = withoutTelemetry(headers);
  // The client gives a text and a signal with every request.
  const limited = signal as AbortSignal;
  try {
    const request = { url, headers: requestHeaders, body: body as string, signal: limited, ...parts };
    return { requestHeaders, outcome: { reply: await httpExchange(request) } };
  } catch (error) {
    return { requestHeaders, outcome: { error, timedOut: limited.aborted } };
  }
}

/** Removes the headers in which the client describes its machine. */
function withoutTelemetry(headers: RequestInit['headers']): ChatExchange['requestHeaders'] {
  return Object.fromEntries([...new Headers(headers)].filter(([name]) => !name.startsWith('x-stainless-')));
}

/** Shorter than the time that servers keep an idle connection, so that few are closed at the moment they are used. */
const IDLE_MS = 4_000;
const MOST_IDLE = 64;

/**
 * The connections to one API, which are kept for further calls. A call that fails on a kept connection fails like any other: Node never repeats a
 * request.
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
