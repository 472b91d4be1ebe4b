import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ActivityFailure } from '#lib/activity';
import { type Json, type JsonObject, loadPart } from '#lib/kernel';
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

/** The MCP servers of a process. A connection is opened with the first call, and kept until it breaks. */
export class McpServers {
  readonly #connections = new Map<string, Promise<Client>>();

  constructor(private readonly servers: { readonly [name: string]: McpServer }) {}

  has(name: string): boolean {
    return Object.hasOwn(this.servers, name);
  }

  /** Failures of the outside are outcomes: this does not throw. */
  async call(call: McpToolCall, signal: AbortSignal): Promise<McpOutcome> {
    const elapsed = stopwatch();
    return withTimeLimit(signal, call.timeoutMs, async (limited) => {
      let isSent = false;
      try {
        const client = await aborting(this.#connection(call.server), limited);
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
        // The connection may be broken: the next call opens another.
        this.#connections.delete(call.server);
        return failed('network', messageOf(error), !isSent, durationMs);
      }
    });
  }

  async close(): Promise<void> {
    const open = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.allSettled(open.map(async (client) => (await client).close()));
  }

  #connection(name: string): Promise<Client> {
    const known = this.#connections.get(name);
    if (known) return known;
    const opened = connect(this.servers[name] as McpServer);
    this.#connections.set(name, opened);
    opened.catch(() => this.#connections.delete(name));
    return opened;
  }
}

/** The SDK is loaded when a server is called for the first time. */
async function connect(server: McpServer): Promise<Client> {
  const { Client } = await loadPart('MCP', () => import('@modelcontextprotocol/sdk/client/index.js'));
  const client = new Client({ name: 'redial', version: '1' });
  await client.connect(await transportOf(server));
  return client;
}

async function transportOf(server: McpServer) {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { ...server.headers } },
    });
  }
  const { getDefaultEnvironment, StdioClientTransport } =
    await import('@modelcontextprotocol/sdk/client/stdio.js');
  const env = { ...getDefaultEnvironment(), ...server.env };
  return new StdioClientTransport({ command: server.command, args: [...(server.args ?? [])], env });
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
