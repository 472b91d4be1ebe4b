import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { noToolMemory } from '#lib/call-rules/testing';
import { LlmCalls } from '../llm/llm-calls.js';
import { Redactor } from '../redaction/redactor.js';
import { type RawReply, RawReplyServer } from '../testing/raw-replies.js';
import { McpServers } from '../tools/mcp-servers.js';
import { toolActivity } from '../tools/tool.activity.js';
import { WebhookCaller } from '../webhooks/webhook-caller.js';

const TIMEOUT_MS = 150;
/** A call without an outcome after this time hangs. */
const HANGS_MS = 20_000;
/** The limit of a call that must end before its time limit. */
const LONG_TIMEOUT_MS = 60_000;

const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const parts = [
  switching,
  hints,
  hints.repeat(2_000),
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n',
  'HTTP/1.1 200 OK\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz',
  `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
  'HTTP/1.1 200',
  '5\r\nhello\r\n',
  '0\r\n\r\n',
  'data: {}\n\n',
  'hello',
  '\r\n',
  '\0\u00ff not HTTP',
];
const anyReply: fc.Arbitrary<RawReply> = fc.record({
  parts: fc.array(fc.constantFrom(...parts), { maxLength: 4 }),
  end: fc.constantFrom('open', 'fin', 'reset'),
});

type Call = (url: string, signal: AbortSignal, timeoutMs: number) => Promise<unknown>;

const request = (execution: object, timeoutMs: number) => ({
  callId: 'c',
  toolId: 't',
  toolVersion: 1,
  attempt: 1,
  arguments: {},
  execution: execution as never,
  timeoutMs,
});
const tool = (mcp: McpServers, execution: object, signal: AbortSignal, timeoutMs: number) => {
  const webhooks = new WebhookCaller({ privateAddresses: 'allow' }, new Redactor([]));
  const functions = { names: () => [], named: () => undefined };
  const activity = toolActivity({ functions, webhooks, mcp, redactor: new Redactor([]) });
  const context = { runId: 'r', stepId: 's', signal, emit: () => undefined };
  return activity.perform(request(execution, timeoutMs), context, noToolMemory);
};

const calls: readonly [who: string, call: Call][] = [
  [
    'a model',
    (url, signal, timeoutMs) =>
      new LlmCalls({ baseUrl: url }).perform({ timeoutMs, requestBody: { model: 'm' } }, signal),
  ],
  [
    'a model whose reply is streamed',
    (url, signal, timeoutMs) =>
      new LlmCalls({ baseUrl: url }).perform(
        { timeoutMs, idleTimeoutMs: timeoutMs / 3, requestBody: { model: 'm', stream: true } },
        signal,
      ),
  ],
  [
    'a tool that is a webhook',
    (url, signal, timeoutMs) => tool(new McpServers({}), { webhookUrl: url }, signal, timeoutMs),
  ],
  ['a tool of an MCP server', (url, signal, timeoutMs) => mcpTool(url, signal, timeoutMs)],
  ['an MCP server that does not greet', (url, signal, timeoutMs) => mcpTool(url, signal, timeoutMs)],
];

async function mcpTool(url: string, signal: AbortSignal, timeoutMs: number): Promise<unknown> {
  const mcp = new McpServers({ shop: { url } });
  const outcome = await tool(mcp, { mcpServer: 'shop', tool: 'x' }, signal, timeoutMs);
  await mcp.close();
  return outcome;
}

const json = (body: object) => {
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
  return { parts: [head + text], end: 'open' } as const;
};
const accepted = { parts: ['HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'], end: 'open' } as const;

/** An MCP server that greets correctly, and gives this reply to every other request. */
const afterGreeting =
  (reply: RawReply) =>
  (body: string): RawReply => {
    const { method, id } = (body === '' ? {} : JSON.parse(body)) as { method?: string; id?: number };
    const result = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    };
    if (method === 'initialize') return json({ jsonrpc: '2.0', id, result });
    return method?.startsWith('notifications/') === true ? accepted : reply;
  };

describe('0.2-S2: an exchange ends within its time limit, whatever the socket does', () => {
  let server: RawReplyServer | undefined;
  afterEach(() => server?.close());

  const settled = async (outcome: Promise<unknown>): Promise<unknown> => {
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise((resolve) => (timer = setTimeout(resolve, HANGS_MS, 'hangs')));
    return Promise.race([outcome, hung]).finally(() => clearTimeout(timer));
  };
  const hasOutcome = { asymmetricMatch: (it: object) => 'kind' in it || 'completed' in it || 'failed' in it };

  describe.each(calls)('%s', (who, call) => {
    const play = async (reply: RawReply, signal = new AbortController().signal) => {
      server = await RawReplyServer.start(
        who === 'a tool of an MCP server' ? afterGreeting(reply) : () => reply,
      );
      const outcome = await settled(call(server.url, signal, TIMEOUT_MS));
      await server.close();
      server = undefined;
      return outcome;
    };

    it.each<[string, RawReply]>([
      ['101 Switching Protocols, and the connection stays', { parts: [switching], end: 'open' }],
      ['101 Switching Protocols, and it is closed', { parts: [switching], end: 'fin' }],
      ['informational replies without end', { parts: Array(200).fill(hints.repeat(100)), end: 'open' }],
      ['nothing', { parts: [], end: 'open' }],
      ['nothing, and the connection is half closed', { parts: [], end: 'fin' }],
      ['a reset', { parts: [], end: 'reset' }],
      ['half a body, and a reset', { parts: [parts[4] ?? '', 'he'], end: 'reset' }],
    ])('%s', async (_, reply) => {
      expect(await play(reply)).toEqual(hasOutcome);
    });

    it('any script of socket events', async () => {
      await fc.assert(
        fc.asyncProperty(anyReply, async (reply) => expect(await play(reply)).toEqual(hasOutcome)),
        { numRuns: 25 },
      );
    }, 120_000);

    it('cancel takes effect while the socket says nothing', async () => {
      const cancelled = new AbortController();
      server = await RawReplyServer.start(() => {
        cancelled.abort();
        return { parts: [switching], end: 'open' };
      });
      const outcome = await settled(call(server.url, cancelled.signal, LONG_TIMEOUT_MS));
      expect(JSON.stringify(outcome)).toContain('interrupted');
    });
  });
});
