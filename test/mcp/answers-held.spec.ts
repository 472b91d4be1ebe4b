import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readEnvironment } from '#lib/engine';
import { answerReaders } from '#lib/event-store';
import { Access } from '#lib/operations';
import { type RunningMcp, serveHttp } from '../../apps/mcp/src/serve-http.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { door } from '../support/door.js';

const PHOTO = 'x'.repeat(700_000);
const SESSIONS = 8;

let engine: TestEngine;
let mcp: RunningMcp;
let sessions: readonly string[];
const opened: ClientRequest[] = [];

beforeEach(async () => {
  engine = await startEngine([]);
  const { redial, app } = engine;
  await redial.defineMachine({ ...door, specialists: [] });
  const create = () => redial.createSession({ machineName: 'door', metaJson: { photo: PHOTO } });
  sessions = (await Promise.all(Array.from({ length: SESSIONS }, create))).map(({ sessionId }) => sessionId);
  const whole = { profile: 'observe', outputSchemas: true } as const;
  const service = { redial, access: app.get(Access), version: '1', ...whole } as const;
  mcp = await serveHttp(service, readEnvironment({ PORT: '0' }));
});

afterEach(async () => {
  for (const one of opened.splice(0)) one.destroy();
  await mcp.stop();
  await engine.stop();
});

const call = (id: number, sessionId = sessions[id % SESSIONS]) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_session', arguments: { sessionId } },
});

/** The answer to a message, or to several in one request, of which nothing is read yet. */
async function asked(message: object): Promise<IncomingMessage> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-03-26',
  };
  const sent = request(mcp.url, { method: 'POST', headers, agent: false });
  opened.push(sent.on('error', () => undefined));
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(JSON.stringify(message));
  const [response] = await answered;
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

it('0.2-S3: answers over MCP hold their bytes in sum until their connection has taken them, or has ended', async () => {
  const before = answerReaders.held;
  const all = sessions.map((_, id) => call(id));
  const unread = await asked(all);
  const held = answerReaders.held - before;
  expect(held).toBeGreaterThan(SESSIONS * PHOTO.length);
  unread.destroy();
  while (answerReaders.held > before) await setImmediate();
  const read = await textOf(await asked(all));
  expect((JSON.parse(read) as readonly object[]).length).toBe(SESSIONS);
  while (answerReaders.held > before) await setImmediate();
});

it('a request over MCP that cancels one of its calls is answered, for the others as well', async () => {
  const cancels = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const answers = JSON.parse(await textOf(await asked([call(1), call(2), cancels]))) as { id: number }[];
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
});
