import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { McpServer as SdkServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { CallContext, Outcome } from '#lib/workflow';
import { type ToolExecution } from '#lib/call-rules';
import { noToolMemory } from '#lib/call-rules/testing';
import type { JsonObject } from '#lib/kernel';
import { Redactor } from '../redaction/redactor.js';
import { WebhookCaller } from '../webhooks/webhook-caller.js';
import { McpServers } from './mcp-servers.js';
import { toolActivity } from './tool.activity.js';

const resultOf = (outcome: Outcome) =>
  'completed' in outcome ? (outcome.completed['result'] as JsonObject) : {};

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

type Tools = (server: SdkServer, response: ServerResponse) => void;

/** An MCP server for each request. */
function answeredByMcp(tools: Tools) {
  return (incoming: IncomingMessage, response: ServerResponse) => {
    const mcp = new SdkServer({ name: 'shop', version: '1' });
    tools(mcp, response);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    void mcp.connect(transport as never).then(() => transport.handleRequest(incoming, response));
  };
}

const SECRET = 'canary-secret-0123';

describe('the activity of tools', () => {
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).toReversed()) await close();
  });

  const activity = (mcp = new McpServers({})) => {
    closes.push(() => mcp.close());
    const functions: Record<string, (input: unknown, call?: unknown) => unknown> = {
      lookup: (input, call) => ({ input, call, leak: SECRET }),
      nothing: () => undefined,
      nil: () => null,
      broken: () => {
        throw new Error(`no order ${SECRET}`);
      },
      slow: () => new Promise(() => undefined),
    };
    const tokens = { T_HOOK_TOKEN: 'password-0123', OPENAI_API_KEY: 'sk-canary-0123456' };
    return toolActivity({
      functions: { names: () => Object.keys(functions), named: (name) => functions[name] },
      webhooks: new WebhookCaller({ privateAddresses: 'allow', tokens }, new Redactor([])),
      mcp,
      redactor: new Redactor([SECRET]),
    });
  };
  const request = (execution: ToolExecution, more: JsonObject = {}): JsonObject => ({
    callId: 'c',
    toolId: 'order_lookup',
    toolVersion: 1,
    arguments: { order: 7 },
    execution,
    timeoutMs: 20_000,
    attempt: 1,
    ...more,
  });
  const context = (signal = new AbortController().signal): CallContext => ({
    runId: 'run',
    stepId: 'c#1',
    signal,
    emit: () => undefined,
  });
  const perform = (execution: ToolExecution, more?: JsonObject, signal?: AbortSignal) =>
    activity().perform(request(execution, more), context(signal), noToolMemory);

  it('gives a function the arguments and the call, and takes known secrets out of the result', async () => {
    expect(await perform({ fnName: 'lookup' })).toMatchObject({
      completed: {
        result: {
          success: true,
          message: 'ok',
          data: {
            input: { order: 7 },
            call: { toolId: 'order_lookup', callId: 'c', runId: 'run' },
            leak: '[REDACTED]',
          },
        },
      },
    });
  });

  it('has no data for an empty reply, and null for null', async () => {
    expect(await perform({ fnName: 'nothing' })).toMatchObject({
      completed: { result: { success: true, message: 'ok' } },
    });
    expect(await perform({ fnName: 'nil' })).toMatchObject({ completed: { result: { data: null } } });
  });

  it('takes what a function throws as a failure, without secrets', async () => {
    const outcome = await perform({ fnName: 'broken' });
    expect(outcome).toMatchObject({
      failed: { failure: { kind: 'function', message: 'no order [REDACTED]', retryable: false } },
    });
  });

  it('gives up after the time of the policy, and when the signal comes', async () => {
    expect(await perform({ fnName: 'slow' }, { timeoutMs: 20 })).toMatchObject({
      failed: { failure: { kind: 'timeout', retryable: false } },
    });
    const stopped = perform({ fnName: 'slow' }, { safeToRepeat: true }, AbortSignal.timeout(20));
    expect(await stopped).toMatchObject({ failed: { failure: { kind: 'interrupted', retryable: true } } });
    const unsafe = perform({ fnName: 'slow' }, {}, AbortSignal.timeout(20));
    expect(await unsafe).toMatchObject({ failed: { failure: { kind: 'interrupted', retryable: false } } });
  });

  it('says before the request is recorded what this process cannot execute', () => {
    const check = (execution: ToolExecution) => activity().preflight(request(execution))?.message;
    expect(check({ fnName: 'none' })).toContain('none');
    expect(check({ mcpServer: 'shop', tool: 'x' })).toContain('REDIAL_MCP_SERVERS');
    expect(check({ fnName: 'lookup' })).toBeUndefined();
  });

  async function listening(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closes.push(() => new Promise((resolve) => server.close(resolve)));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('posts the call to a webhook, with the tool as user when a token is named, and takes JSON behind a byte order mark', async () => {
    const seen: unknown[] = [];
    const server = createServer((incoming, response) => {
      let body = '';
      incoming.on('data', (chunk) => (body += String(chunk)));
      incoming.on('end', () => {
        seen.push([incoming.headers.authorization, JSON.parse(body)]);
        response.end('\u{FEFF}{"found":true}');
      });
    });
    const webhookUrl = await listening(server);
    expect(await perform({ webhookUrl })).toMatchObject({
      completed: { result: { success: true, data: { found: true } } },
    });
    await perform({ webhookUrl, webhookTokenName: 'T_HOOK_TOKEN' });
    const basic = Buffer.from('order_lookup:password-0123').toString('base64');
    const body = { toolId: 'order_lookup', callId: 'c', arguments: { order: 7 }, runId: 'run' };
    expect(seen).toEqual([
      [undefined, body],
      [`Basic ${basic}`, body],
    ]);
  });

  it('0.2-O1: sends no variable that is not a token of webhooks, also if an old version of a tool names it', async () => {
    const server = createServer(() => expect('a request').toBe('none'));
    const webhookUrl = await listening(server);
    for (const webhookTokenName of ['OPENAI_API_KEY', 'T_HOOK_TOKEN ', '__proto__', '']) {
      const message = expect.stringContaining(`"${webhookTokenName}" is not sent to a webhook`);
      expect(await perform({ webhookUrl, webhookTokenName })).toEqual({
        failed: { failure: { kind: 'network', retryable: false, durationMs: expect.any(Number), message } },
      });
    }
  });

  it.each([
    [500, '{"why":"down"}', { kind: 'http-error', retryable: true }],
    [429, '', { kind: 'http-error', retryable: true }],
    [404, 'gone', { kind: 'http-error', retryable: false }],
    [302, '', { kind: 'http-error', retryable: false }],
    [200, 'hello', { kind: 'unusable-reply', retryable: false }],
  ])('takes %i with the body %j as a failure with the status', async (status, body, failure) => {
    const webhookUrl = await listening(createServer((_, response) => response.writeHead(status).end(body)));
    const outcome = await perform({ webhookUrl });
    expect(outcome).toMatchObject({
      failed: { failure: { ...failure, message: expect.stringContaining(String(status)) } },
    });
  });

  it('X-T10: takes a result with a number that JSON cannot hold as a failure', async () => {
    const webhookUrl = await listening(createServer((_, response) => response.end('{"paid":[1e999]}')));
    expect(await perform({ webhookUrl })).toMatchObject({ failed: { failure: { kind: 'unusable-reply' } } });
  });

  it('takes a result of more than 900 levels as a failure: SQLite would take the event for damaged', async () => {
    const body = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const webhookUrl = await listening(
      createServer(({ url }, response) => response.end(body(Number(url?.slice(1))))),
    );
    expect(await perform({ webhookUrl: `${webhookUrl}/900` })).toMatchObject({ completed: {} });
    for (const levels of [901, 200_000])
      expect(await perform({ webhookUrl: `${webhookUrl}/${levels}` })).toMatchObject({
        failed: { failure: { kind: 'unusable-reply', message: expect.stringContaining('900 levels') } },
      });
  });

  it('tries a webhook that cannot be reached again, and one that is too slow not', async () => {
    expect(await perform({ webhookUrl: 'http://127.0.0.1:9' })).toMatchObject({
      failed: { failure: { kind: 'network', retryable: true } },
    });
    const webhookUrl = await listening(createServer(() => undefined));
    expect(await perform({ webhookUrl }, { timeoutMs: 50 })).toMatchObject({
      failed: { failure: { kind: 'timeout', retryable: false } },
    });
  });

  /** @returns its address */
  const mcpOverHttp = (tools: Tools): Promise<string> => listening(createServer(answeredByMcp(tools)));

  const asking =
    (subject: ReturnType<typeof activity>, mcpServer: string) =>
    (tool: string, more: JsonObject = {}) =>
      subject.perform(request({ mcpServer, tool }, { timeoutMs: 60_000, ...more }), context(), noToolMemory);

  it('calls a tool of an MCP server over HTTP', async () => {
    const url = await mcpOverHttp((mcp) => {
      mcp.registerTool('find', { inputSchema: { order: z.number() } }, ({ order }) =>
        order > 9
          ? { isError: true, content: [{ type: 'text', text: `no order ${SECRET}` }] }
          : { content: [{ type: 'text', text: `order ${order}` }], structuredContent: { order } },
      );
    });
    const subject = activity(new McpServers({ shop: { url } }));
    const call = asking(subject, 'shop');
    expect(await call('find')).toMatchObject({
      completed: { result: { success: true, data: { order: 7 } } },
    });
    expect(await call('find', { arguments: { order: 10 } })).toMatchObject({
      failed: { failure: { kind: 'tool', message: 'no order [REDACTED]' } },
    });
  });

  it('takes a result of an MCP server with more than 500,000 values as a failure: it would fill the memory', async () => {
    const url = await mcpOverHttp((mcp) => {
      const lists = Array.from({ length: 250_000 }, () => []);
      mcp.registerTool('taken', {}, () => ({ content: [], structuredContent: { many: lists.slice(1) } }));
      mcp.registerTool('refused', {}, () => ({ content: [], structuredContent: { many: lists } }));
    });
    const subject = activity(new McpServers({ shop: { url } }));
    const call = asking(subject, 'shop');
    expect(await call('taken')).toMatchObject({ completed: {} });
    expect(await call('refused')).toMatchObject({
      failed: { failure: { kind: 'unusable-reply', message: expect.stringContaining('more than 500000') } },
    });
  });

  it('leaves a call of an MCP server as it is where another call of the same server fails', async () => {
    let [isAsked, end] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const url = await mcpOverHttp((mcp, response) => {
      mcp.registerTool('long', {}, async () => {
        isAsked();
        await ended;
        return { content: [{ type: 'text', text: 'done' }] };
      });
      mcp.registerTool('broken', {}, () => {
        response.destroy();
        return { content: [] };
      });
    });
    const subject = activity(new McpServers({ shop: { url } }));
    const call = asking(subject, 'shop');
    const long = call('long');
    await asked;
    expect(await call('broken')).toMatchObject({ failed: { failure: { kind: 'network' } } });
    end();
    expect(await long).toMatchObject({ completed: { result: { data: 'done' } } });
  });

  it('tries an MCP server over HTTP again that answers 429 or 5xx or is away, also after a call that went well', async () => {
    let status = 200;
    const server = createServer((incoming, response) => {
      response.setHeader('connection', 'close');
      if (status === 200)
        answeredByMcp((mcp) => mcp.registerTool('find', {}, () => ({ content: [] })))(incoming, response);
      else response.writeHead(status).end('busy');
    });
    const subject = activity(new McpServers({ shop: { url: await listening(server) } }));
    const call = () => asking(subject, 'shop')('find');
    const failed = (retryable: boolean, words: string) => ({
      failed: { failure: { kind: 'network', retryable, message: expect.stringContaining(words) } },
    });
    for (const next of [429, 503, 404]) {
      status = 200;
      expect(await call()).toMatchObject({ completed: {} });
      status = next;
      expect(await call()).toMatchObject(failed(next !== 404, 'busy'));
    }
    status = 200;
    await call();
    server.close().closeAllConnections();
    expect(await call()).toMatchObject(failed(true, 'ECONNREFUSED'));
  });

  it('calls a tool of an MCP server that it starts, and tries again what could not be started', async () => {
    const script = `
      import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
      import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
      const server = new McpServer({ name: 'clock', version: '1' });
      server.registerTool('now', {}, () => ({ content: [{ type: 'text', text: process.env.NOON }] }));
      await server.connect(new StdioServerTransport());`;
    const clock = {
      command: process.execPath,
      args: ['--input-type=module', '-e', script],
      env: { NOON: 'twelve' },
    };
    const subject = activity(new McpServers({ clock, gone: { command: 'no-such-command' } }));
    const now = request({ mcpServer: 'clock', tool: 'now' }, { timeoutMs: 20_000 });
    expect(await subject.perform(now, context(), noToolMemory)).toMatchObject({
      completed: { result: { data: 'twelve' } },
    });
    const gone = request({ mcpServer: 'gone', tool: 'now' });
    expect(await subject.perform(gone, context(), noToolMemory)).toMatchObject({
      failed: { failure: { kind: 'network', retryable: true } },
    });
  });

  it('keeps the connection to an MCP server that refuses a call, and ends the process of one that breaks its protocol', async () => {
    const script = `
      const { createInterface } = require('node:readline');
      const results = {
        initialize: { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 'odd', version: '1' } },
        pid: { content: [{ type: 'text', text: String(process.pid) }] },
        broken: { content: 7 },
      };
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const result = results[method] ?? results[params?.name];
        const answer = result ? { result } : { error: { code: -32602, message: 'refused' } };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });`;
    const subject = activity(new McpServers({ odd: { command: process.execPath, args: ['-e', script] } }));
    const call = asking(subject, 'odd');
    const first = await call('pid');
    expect(first).toMatchObject({ completed: { result: { data: expect.stringMatching(/^[0-9]+$/) } } });
    expect(await call('other')).toMatchObject({ failed: { failure: { retryable: false } } });
    expect(await call('pid')).toMatchObject({ completed: { result: resultOf(first) } });
    expect(await call('broken')).toMatchObject({ failed: { failure: { kind: 'network' } } });
    expect(resultOf(await call('pid'))).not.toEqual(resultOf(first));
    while (isRunning(Number(resultOf(first)['data']))) await setImmediate();
  });

  it('ends an MCP server that writes thousands of lines that are not messages', async () => {
    const script = `
      const lines = 'y\\n'.repeat(10_000);
      const write = () => process.stdout.write(lines, write);
      write();`;
    const flood = { command: process.execPath, args: ['-e', script] };
    const call = request({ mcpServer: 'flood', tool: 'x' }, { timeoutMs: 3_600_000 });
    expect(await activity(new McpServers({ flood })).perform(call, context(), noToolMemory)).toMatchObject({
      failed: { failure: { kind: 'network', retryable: true } },
    });
  });

  it('0.2-S5 ends an MCP server that sends thousands of valid messages: they are counted, readable or not', async () => {
    const script = `
      const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) + '\\n';
      const lines = ping.repeat(10_000);
      const write = () => process.stdout.write(lines, write);
      write();`;
    const flood = { command: process.execPath, args: ['-e', script] };
    const call = request({ mcpServer: 'flood', tool: 'x' }, { timeoutMs: 3_600_000 });
    expect(await activity(new McpServers({ flood })).perform(call, context(), noToolMemory)).toMatchObject({
      failed: { failure: { kind: 'network', retryable: true } },
    });
  });

  it('does not wait at its end for an MCP server that has not answered yet, and ends its process', async () => {
    const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
    const servers = new McpServers({ silent });
    const call = request({ mcpServer: 'silent', tool: 'x' }, { timeoutMs: 3_600_000 });
    const called = activity(servers).perform(call, context(), noToolMemory);
    await setImmediate();
    await servers.close();
    expect(await called).toMatchObject({ failed: { failure: { kind: 'network', retryable: true } } });
  });

  it('takes no more of the reply of an MCP server over HTTP than of any other', async () => {
    const blanks = Buffer.alloc(2 ** 20, 0x20);
    const url = await listening(
      createServer((_, response) => {
        response.setHeader('content-type', 'application/json');
        response.on('drain', () => response.write(blanks)).write(blanks);
      }),
    );
    const flood = request({ mcpServer: 'flood', tool: 'x' }, { timeoutMs: 60_000 });
    const subject = activity(new McpServers({ flood: { url } }));
    expect(await subject.perform(flood, context(), noToolMemory)).toMatchObject({
      failed: { failure: { kind: 'network', message: expect.stringContaining('larger than') } },
    });
  });
});
