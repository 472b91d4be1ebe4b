import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type ActivityFailure, settledBy, stopwatch, withTimeLimit } from '#lib/workflow';
import { isWorthAnotherAttempt } from '#lib/call-rules';
import { type Json, type JsonObject, loadPart } from '#lib/kernel';
import { MAX_REPLY_BYTES } from '../http/reply-limits.js';
import { messageOf } from '../message-of.js';

/** An MCP server, as MCP clients configure it: a process that speaks over its standard streams, or an address. */
export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: { readonly [name: string]: string };
    }
  | { readonly url: string; readonly headers?: { readonly [name: string]: string } };

interface McpToolCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
}

type McpOutcome =
  | { readonly data: Json | undefined; readonly durationMs: number }
  | { readonly failure: ActivityFailure };

type Transport = StdioClientTransport | StreamableHTTPClientTransport;

/** A transport that is started, and the client once the server has answered. */
interface Opened {
  readonly transport: Transport;
  readonly client: Promise<Client>;
}

interface Connection {
  readonly opened: Promise<Opened>;
  readonly client: Promise<Client>;
  /** The number of calls without an outcome. */
  calls: number;
}

/**
 * The MCP servers of a process. A connection is opened with the first call, and kept until it breaks. One that broke takes no further
 * call, and is closed, with the process that was started for it, when its last call has its outcome.
 */
export class McpServers {
  readonly #connections = new Map<string, Connection>();

  constructor(private readonly servers: { readonly [name: string]: McpServer }) {}

  has(name: string): boolean {
    return Object.hasOwn(this.servers, name);
  }

  /** Failures of the outside world are outcomes: this does not throw. */
  async call(call: McpToolCall, signal: AbortSignal): Promise<McpOutcome> {
    const elapsed = stopwatch();
    return withTimeLimit(signal, call.timeoutMs, async (limited) => {
      const connection = this.#connection(call.server);
      connection.calls++;
      let isSent = false;
      try {
        const client = await settledBy(limited, connection.client);
        isSent = true;
        const { tool: name, arguments: given, timeoutMs } = call;
        const options = { signal: limited, timeout: timeoutMs + 1_000 };
        const asked = () => client.callTool({ name, arguments: given }, undefined, options);
        const result = await settledBy(limited, withExchanges(asked));
        return answered(result as CallToolResult, elapsed());
      } catch (error) {
        const durationMs = elapsed();
        if (signal.aborted)
          return failed('interrupted', 'The call was given up before its result had come.', true, durationMs);
        if (limited.aborted)
          return failed('timeout', `No result came within ${call.timeoutMs} ms.`, false, durationMs);
        // Otherwise the connection may be broken: the next call opens another.
        const isBroken = !isRefusal(error);
        if (isBroken) this.#forget(call.server, connection);
        const retryable = !isSent || (isBroken && mayComeAgain(error));
        return failed('network', messageOf(causeOf(error)), retryable, durationMs);
      } finally {
        connection.calls--;
        if (connection.calls === 0 && this.#connections.get(call.server) !== connection)
          void close(connection);
      }
    });
  }

  async close(): Promise<void> {
    const open = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.all(open.map(close));
  }

  #connection(name: string): Connection {
    const known = this.#connections.get(name);
    if (known) return known;
    const forget = () => this.#forget(name, connection);
    const opened = open(this.servers[name] as McpServer, forget);
    const client = opened.then((one) => one.client);
    const connection: Connection = { opened, client, calls: 0 };
    this.#connections.set(name, connection);
    client.catch(forget);
    return connection;
  }

  #forget(name: string, opened: Connection): void {
    if (this.#connections.get(name) === opened) this.#connections.delete(name);
  }
}

/** Ends the requests that a call has sent over HTTP; a request outside of a call ends with its connection. */
const endOfExchanges = new AsyncLocalStorage<AbortSignal>();

/** The time that a notice to the server about an abandoned call may take. */
const NOTICE_MS = 1_000;

/** Does work, and then ends its requests over HTTP, also those that the server leaves open. */
async function withExchanges<T>(work: () => Promise<T>): Promise<T> {
  const exchanges = new AbortController();
  try {
    return await endOfExchanges.run(exchanges.signal, work);
  } finally {
    setTimeout(() => exchanges.abort(), NOTICE_MS).unref();
  }
}

/** Does not throw. It does not wait for a server that has not answered yet: the calls that wait for it fail. */
async function close({ opened }: Connection): Promise<void> {
  await opened.then(({ transport }) => transport.close()).catch(() => undefined);
}

const CONNECTION_CLOSED = -32_000;

/** An error that the server answered: the connection holds. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'McpError' && 'code' in error && error.code !== CONNECTION_CLOSED
  );
}

/** The reason that `fetch` hides behind "fetch failed". */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError ? (error.cause ?? error) : error;
}

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether a server over HTTP did not get the call, or answered a status after which a webhook is called again, too. */
function mayComeAgain(error: unknown): boolean {
  const { code } = causeOf(error) as { readonly code?: unknown };
  return typeof code === 'number' ? isWorthAnotherAttempt(code) : UNREACHED.some((one) => one === code);
}

/** The SDK is loaded when a server is called for the first time. */
async function open(server: McpServer, onClose: () => void): Promise<Opened> {
  const { Client } = await loadPart('MCP', () => import('@modelcontextprotocol/sdk/client/index.js'));
  const client = new Client({ name: 'redial', version: '1' });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way to listen
  client.onclose = onClose;
  const transport = await transportOf(server);
  const take = countingMessages(() => {
    if ('pid' in transport && transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
    void transport.close().catch(() => undefined);
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above
  client.onerror = () => void take();
  // The client calls it before it reads a message, and does not read one for which it throws.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above
  transport.onmessage = () => {
    if (!take()) throw new Error('The server sends too many messages.');
  };
  return { transport, client: connected(client, transport) };
}

/** Milliseconds until a server has answered all of the greeting. */
const CONNECT_MS = 60_000;

/** The SDK bounds the first request of the greeting, and not the notice that ends it. */
async function connected(client: Client, transport: Transport): Promise<Client> {
  const { signal } = new AbortController();
  try {
    await withTimeLimit(signal, CONNECT_MS, (limited) => settledBy(limited, client.connect(transport)));
    return client;
  } catch (error) {
    void transport.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Messages of a server within a second, readable or not. It sends a few for each call, and logs some lines by mistake; thousands keep the
 * event loop busy, and the answers to thousands of pings fill the memory.
 */
const MOST_MESSAGES = 1_000;

/**
 * To be called for each message: whether it is taken.
 * @param end called once there are too many of them; from there on none is taken
 */
function countingMessages(end: () => void): () => boolean {
  let since = performance.now();
  let count = 0;
  return () => {
    if (count >= MOST_MESSAGES) return false;
    const now = performance.now();
    if (now - since > 1_000) [since, count] = [now, 0];
    count += 1;
    if (count < MOST_MESSAGES) return true;
    end();
    return false;
  };
}

async function transportOf(server: McpServer): Promise<Transport> {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: boundedFetch,
      requestInit: { headers: { ...server.headers } },
    });
  }
  const { getDefaultEnvironment, StdioClientTransport } =
    await import('@modelcontextprotocol/sdk/client/stdio.js');
  const env = { ...getDefaultEnvironment(), ...server.env };
  return new StdioClientTransport({ command: server.command, args: [...(server.args ?? [])], env });
}

/** A reply over the limit is cut off. Over standard streams the SDK has the same bound for a message. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const signal = endOfExchanges.getStore() ?? init?.signal ?? null;
  const response = await fetch(url, { ...init, signal });
  let size = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size <= MAX_REPLY_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`The reply is larger than ${MAX_REPLY_BYTES} bytes.`));
    },
  });
  return response.body ? new Response(response.body.pipeThrough(bounded), response) : response;
}

/** Structured content if the tool gives it, else the text, else the parts as they are. */
function answered({ isError, structuredContent, content }: CallToolResult, durationMs: number): McpOutcome {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = texts.join('\n');
  if (isError) return failed('tool', text, false, durationMs);
  if (structuredContent) return { data: structuredContent as JsonObject, durationMs };
  if (content.length === 0) return { data: undefined, durationMs };
  return { data: texts.length === content.length ? text : (content as JsonObject[]), durationMs };
}

function failed(kind: string, message: string, retryable: boolean, durationMs: number): McpOutcome {
  return { failure: { kind, message, retryable, durationMs } };
}
