import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ActivityFailure } from '#lib/activity';
import { type Json, type JsonObject, loadPart } from '#lib/kernel';
import { MAX_REPLY_BYTES } from '../http/decode-content.js';
import { messageOf } from '../message-of.js';
import { stopwatch, withTimeLimit } from '../time-limit.js';

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
  { readonly data: Json | undefined; readonly durationMs: number } | { readonly failure: ActivityFailure };

interface Connection {
  readonly client: Promise<Client>;
  /** That have no outcome yet. */
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

  /** Failures of the outside are outcomes: this does not throw. */
  async call(call: McpToolCall, signal: AbortSignal): Promise<McpOutcome> {
    const elapsed = stopwatch();
    return withTimeLimit(signal, call.timeoutMs, async (limited) => {
      const connection = this.#connection(call.server);
      connection.calls++;
      let isSent = false;
      try {
        const client = await aborting(connection.client, limited);
        isSent = true;
        const { tool: name, arguments: given, timeoutMs } = call;
        const options = { signal: limited, timeout: timeoutMs + 1_000 };
        const result = await client.callTool({ name, arguments: given }, undefined, options);
        return answered(result as CallToolResult, elapsed());
      } catch (error) {
        const durationMs = elapsed();
        if (signal.aborted)
          return failed('interrupted', 'The call was given up before its result had come.', true, durationMs);
        if (limited.aborted)
          return failed('timeout', `No result came within ${call.timeoutMs} ms.`, false, durationMs);
        // Otherwise the connection may be broken: the next call opens another.
        if (!isRefusal(error)) this.#forget(call.server, connection);
        return failed('network', messageOf(error), !isSent, durationMs);
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
    const client = connect(this.servers[name] as McpServer, () => this.#forget(name, opened));
    const opened: Connection = { client, calls: 0 };
    this.#connections.set(name, opened);
    client.catch(() => this.#forget(name, opened));
    return opened;
  }

  #forget(name: string, opened: Connection): void {
    if (this.#connections.get(name) === opened) this.#connections.delete(name);
  }
}

/** Does not throw. */
async function close({ client }: Connection): Promise<void> {
  await client.then((opened) => opened.close()).catch(() => undefined);
}

const CONNECTION_CLOSED = -32_000;

/** An error that the server answered: the connection holds. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'McpError' && 'code' in error && error.code !== CONNECTION_CLOSED
  );
}

/** The SDK is loaded when a server is called for the first time. */
async function connect(server: McpServer, onClose: () => void): Promise<Client> {
  const { Client } = await loadPart('MCP', () => import('@modelcontextprotocol/sdk/client/index.js'));
  const client = new Client({ name: 'redial', version: '1' });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way to listen
  client.onclose = onClose;
  await client.connect(await transportOf(server));
  return client;
}

async function transportOf(server: McpServer) {
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

/** A reply that is longer than replies may be breaks off. Over standard streams the SDK has the same bound for a message. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
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

/** Structured content where the tool gives it, else the text, else the parts as they are. */
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

async function aborting<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(new Error('aborted'));
    signal.addEventListener('abort', leave);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
