import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect } from '@jest/globals';
import {
  completion,
  reply,
  type ScriptedReply,
  type ScriptedRequest,
  text,
  toolCall,
} from '#lib/activities/testing';
import { HttpCaller } from './http-caller.js';

const REPLY_BYTES = 9_600_000;
export const SESSIONS = 12;
const READERS = 12;
const STREAMS = 50;
const PIPELINED = 30_000;
const RUNS = 64;
const CALLS_OF_A_REPLY = 128;
const ROUNDS = 5;

export interface Attacked {
  readonly url: string;
  /** Each with a reply of a model of `REPLY_BYTES`. */
  readonly sessionIds: readonly string[];
}

/** Attacks of a caller, a provider or an MCP server. */
export const ATTACKS: readonly [name: string, attack: (attacked: Attacked) => Promise<void>][] = [
  ['S-1: 250 conditions over 80 MB of text', ({ url }) => poison(url, 'texts')],
  ['S-1: 250 conditions with 20 searches each', ({ url }) => poison(url, 'searches')],
  ['S-1: 2,000 small loops', ({ url }) => poison(url, 'loops')],
  ['S-2: a provider that switches protocols, 64 runs at once', switchProtocols],
  ['S-3: lists of replies of 9.6 MB, read by 12 at once', listBodies],
  ['S-3: 50 event streams that nobody reads', leaveStreamsUnread],
  ['S-5: a reply of 10 MB of brackets, and reads of it', ({ url }) => ask(url, 'nested')],
  ['S-5: five replies of 128 calls with lists of unique items', ({ url }) => ask(url, 'many-calls')],
  ['S-5: an MCP server that sends 300,000 pings', ({ url }) => ask(url, 'flooded')],
  ['S-8: 30,000 requests on one connection', pipeline],
];

/** An MCP server on its standard streams. */
export const FLOOD = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const serverInfo = { name: 'flood', version: '1' };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { method, id } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: { protocolVersion: '2025-03-26', capabilities: {}, serverInfo } });
    if (method === 'tools/call') for (let n = 0; n < 300000; n++) say({ id: 'ping-' + n, method: 'ping' });
  });
  process.stdout.on('error', () => process.exit());
`;

/** The provider whose models have the names of the attacks. */
export function replyTo({ body }: ScriptedRequest): ScriptedReply {
  const {
    model,
    messages,
    response_format: format,
  } = body as object as {
    model: string;
    messages: readonly { role: string }[];
    response_format?: { json_schema: { name: string } };
  };
  const rounds = messages.filter(({ role }) => role === 'assistant').length;
  switch (model) {
    case 'speaker':
      return text(format === undefined || format.json_schema.name === 'respond' ? { message: 'Hello.' } : {});
    case 'nested':
      return reply({ body: `{"choices":${'['.repeat(10_000_000)}` });
    case 'many-calls':
      return rounds < ROUNDS ? manyCalls() : text('Done.');
    case 'flooded':
      return rounds === 0 ? toolCall('flood', {}) : text('Done.');
    default:
      return largeReply();
  }
}

function largeReply(): ScriptedReply {
  const { body, ...rest } = toolCall('approve', { amount: 1 });
  return { ...rest, body: `{"padding":"${'x'.repeat(REPLY_BYTES)}",${String(body).slice(1)}` };
}

function manyCalls(): ScriptedReply {
  const given = JSON.stringify({ items: Array.from({ length: 10_000 }, (_, n) => n) });
  const calls = Array.from({ length: CALLS_OF_A_REPLY }, (_, n) => ({
    id: `call_${n}`,
    type: 'function',
    function: { name: 'pick', arguments: given },
  }));
  return completion({ role: 'assistant', content: null, tool_calls: calls }, 'tool_calls');
}

const CONDITIONS = {
  texts: Array(250).fill(`size(${Array(80).fill('context.s').join(' + ')}) > 0`) as string[],
  searches: Array(250).fill(Array(20).fill("context.s.contains('y')").join(' || ')) as string[],
  loops: Array(250).fill(Array(8).fill('context.list.all(x, x > 0)').join(' && ')) as string[],
};

/** A message to an agent with such conditions, then a replay of its turn. */
async function poison(url: string, kind: keyof typeof CONDITIONS): Promise<void> {
  const caller = new HttpCaller(url);
  const flows = CONDITIONS[kind].map((expr, index) => ({
    id: `flow-${index}`,
    title: `Flow ${index}`,
    if: { expr },
    steps: [{ id: 'one', prompt: 'Speak' }],
  }));
  const agent = { agentName: `agent-${kind}`, model: 'speaker', flows };
  expect(await caller.post('/v1/agents', agent)).toMatchObject({ status: 201 });
  const { body } = await caller.post('/v1/conversations', { agentName: agent.agentName });
  const path = `/v1/conversations/${String(body['conversationId'])}`;
  const message = { text: 'hello', context: { s: 'x'.repeat(1_000_000), list: Array(50).fill(1) } };
  expect(await caller.post(`${path}/messages`, message)).toMatchObject({ status: 200 });
  expect(await caller.post(`${path}/replay`, {})).toMatchObject({ body: { identical: true } });
}

const planner = { systemPrompt: 'Plan', userPrompt: 'Go' };

async function switchProtocols({ url }: Attacked): Promise<void> {
  const input = { ...planner, model: 'raw/any', tools: [] };
  const runs = Array.from({ length: RUNS }, () =>
    new HttpCaller(url).post('/v1/runs', { workflow: 'planner', input, waitMs: 60_000 }),
  );
  for (const { body } of await Promise.all(runs)) expect(body).toMatchObject({ status: 'failed' });
}

/** A run of a planner with this model, and reads of what it was answered. */
async function ask(url: string, model: string): Promise<void> {
  const caller = new HttpCaller(url);
  const input = { ...planner, model, tools: ['pick', 'flood'] };
  const { body } = await caller.post('/v1/runs', { workflow: 'planner', input, waitMs: 60_000 });
  expect(['failed', 'completed']).toContain(body['status']);
  for (let read = 0; read < 3; read++) {
    const calls = await caller.get(`/v1/llm-calls?runId=${String(body['runId'])}&limit=1`);
    expect(calls).toMatchObject({ status: 200 });
  }
}

/** Starts to read, and says the status. */
async function opened(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  return response;
}

async function listBodies({ url, sessionIds }: Attacked): Promise<void> {
  const paths = [
    'llm-calls?limit=50&include=bodies',
    `sessions/${sessionIds[0]}/llm-calls`,
    'llm-calls?limit=50',
  ];
  for (const path of paths) {
    const reads = Array.from({ length: READERS }, async () => {
      const response = await opened(`${url}/v1/${path}`);
      let bytes = 0;
      for await (const part of response) bytes += (part as Buffer).length;
      expect([200, 503]).toContain(response.statusCode);
      // One reply at least, which its JSON text makes somewhat longer.
      expect(bytes).toBeLessThan(REPLY_BYTES * 1.2);
    });
    await Promise.all(reads);
  }
}

async function leaveStreamsUnread({ url, sessionIds }: Attacked): Promise<void> {
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, n) =>
      opened(`${url}/v1/sessions/${sessionIds[n % SESSIONS]}/events/stream`),
    ),
  );
  for (const stream of streams) stream.on('error', () => undefined);
  // A list is still answered: it does not wait for what the streams hold.
  const list = await opened(`${url}/v1/llm-calls?limit=1&include=bodies`);
  expect(list.statusCode).toBe(200);
  for await (const _ of list);
  for (const stream of streams) stream.destroy();
}

async function pipeline({ url }: Attacked): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const request = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const last = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
  socket.end(request.repeat(PIPELINED - 1) + last);
  let answers = 0;
  for await (const part of socket) answers += String(part).split('HTTP/1.1 200').length - 1;
  // An answer may lie across two parts.
  expect(answers).toBeGreaterThan(PIPELINED * 0.9);
}
