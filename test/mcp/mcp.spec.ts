import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import request from 'supertest';
import { readEnvironment } from '#lib/engine';
import { Access } from '#lib/operations';
import { type RunningMcp, serveHttp } from '../../apps/mcp/src/serve-http.js';
import { callsOfEngine } from '../../apps/mcp/src/tool-calls.js';
import { serveStdio } from '../../apps/mcp/src/serve-stdio.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { lenders, loans } from '../support/loans.js';
import { HttpTransport } from './http-transport.js';
import { callTool, connectOverStdio, newClient } from './mcp-client.js';

/** Decides a round as an operator: people decide elsewhere. @param by the author of the decision */
async function decideOneLoan(client: Client, machineName: string, by: string): Promise<void> {
  const { value: session } = await callTool(client, 'create_session', {
    machineName,
    metaJson: { amount: 10 },
  });
  const sessionId = session?.['sessionId'];
  const ran = await callTool(client, 'run_session', { sessionId });
  expect(ran.value).toMatchObject({ sessionId, status: 'needs_human' });
  const transition = { sessionId, transitionName: 'approve', toState: 'closed', idempotencyKey: 'k' };
  const executed = await callTool(client, 'execute_transition', transition);
  expect(executed.value).toMatchObject({ status: 'done' });
  expect(await callTool(client, 'execute_transition', transition)).toEqual(executed);
  const { value: decisions } = await callTool(client, 'get_decision_log', { machineName });
  expect(decisions).toMatchObject({ items: [{ sessionId, how: 'operator' }] });
  const { value: events } = await callTool(client, 'list_session_events', { sessionId });
  const { items } = events as { readonly items: readonly object[] };
  expect(items.at(-1)).toMatchObject({ data: { by } });
  const { value: replayed } = await callTool(client, 'replay_session', { sessionId });
  expect(replayed).toMatchObject({ identical: true });
}

describe('the MCP server', () => {
  let engine: TestEngine;
  let guarded: TestEngine;

  let actorToken: string;
  let guardedActorToken: string;

  beforeAll(async () => {
    engine = await startEngine([], { strategies: lenders });
    guarded = await startEngine([], { strategies: lenders, apiToken: 'secret' });
    actorToken = await bossOf(engine);
    guardedActorToken = await bossOf(guarded);
  });
  afterAll(() => Promise.all([engine.stop(), guarded.stop()]));

  async function bossOf({ redial }: TestEngine): Promise<string> {
    const { actorTokens } = await redial.defineMachine(loans);
    return actorTokens?.['boss'] ?? '';
  }

  /** A machine of a test's own, and so decisions of its own; the boss is one person. */
  async function ownLoans({ redial } = engine): Promise<string> {
    const machineName = `loans-${randomUUID()}`;
    await redial.defineMachine({ ...loans, machineName });
    return machineName;
  }

  describe('over streamable HTTP', () => {
    let client: Client;
    let running: RunningMcp | undefined;

    beforeEach(() => {
      client = newClient();
    });

    /** Where there is a token, in front of the engine that has it too. */
    async function listen(apiToken?: string): Promise<string> {
      const settings = readEnvironment({ PORT: '0', REDIAL_API_TOKEN: apiToken });
      const { app, redial } = apiToken === undefined ? engine : guarded;
      const shown = { groups: ['all'], outputSchemas: true };
      const rights = { profile: 'operate', ...shown } as const;
      const service = { redial, access: app.get(Access), version: '1.2.3', ...rights };
      running = await serveHttp(service, settings);
      return running.url;
    }

    async function connect(headers?: Record<string, string>, apiToken?: string): Promise<void> {
      await client.connect(new HttpTransport(await listen(apiToken), headers));
    }

    afterEach(async () => {
      await client.close();
      await running?.stop();
    });

    it('D-51: decides a round, and replays it', async () => {
      const machineName = await ownLoans();
      await connect();
      expect(client.getServerVersion()).toMatchObject({ name: 'redial', version: '1.2.3' });
      await decideOneLoan(client, machineName, 'operator');
    });

    it('takes the token of the person beside the token of the server, when that has one', async () => {
      const machineName = await ownLoans(guarded);
      const tokens = { authorization: 'Bearer secret', 'Redial-Actor-Token': guardedActorToken };
      await connect(tokens, 'secret');
      await decideOneLoan(client, machineName, 'boss');
    });

    it('lets nobody in without the token when there is one', async () => {
      await expect(connect({}, 'secret')).rejects.toThrow('HTTP 401');
      await running?.stop();
      await connect({ authorization: 'Bearer secret' }, 'secret');
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    });

    it('gives the schemas of all answers but texts and that of a tick, which is null at rest', async () => {
      await connect();
      const { tools } = await client.listTools();
      const without = tools.filter(({ outputSchema }) => outputSchema === undefined);
      expect(without.map(({ name }) => name).toSorted()).toEqual([
        'get_agent_diagram',
        'get_machine_diagram',
        'tick_session',
      ]);
    });

    it.each([
      ['viewer', 'get_session', 'create_session'],
      ['reviewer', 'create_session', 'execute_transition'],
      ['operator', 'execute_transition', undefined],
    ] as const)('X-T2: offers a %s %s and not %s', async (role, offered, missing) => {
      const { token } = await guarded.redial.registerPerson({ personId: `ann-the-${role}`, role });
      await connect({ authorization: `Bearer ${token}` }, 'secret');
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect([names.includes(offered), names.includes(missing ?? '')]).toEqual([true, false]);
    });

    it.each([
      ['X-S5', 403, { origin: 'http://evil.example' }, 'foreign-origin'],
      ['X-S5', 403, { host: 'rebound.example' }, 'foreign-origin'],
      ['X-S6', 403, { 'sec-fetch-site': 'cross-site' }, 'foreign-origin'],
    ])('%s: answers %d to %j', async (_, status, headers, code) => {
      const url = await listen();
      const answer = await request(url.replace('/mcp', '')).post('/mcp').set(headers).send({});
      expect([answer.status, answer.body.error.data.code]).toEqual([status, code]);
    });

    it('answers a refusal with the problem of HTTP, and malformed arguments with their names', async () => {
      await connect();
      const sessionId = '6f1a6a5e-3f64-4b5e-9f0b-0c5a3f6f7d11';
      const unknown = await callTool(client, 'get_session', { sessionId });
      expect(unknown).toMatchObject({
        isError: true,
        value: { status: 404, code: 'unknown-session', detail: expect.stringContaining('[UnknownSession]') },
      });
      const malformed = await callTool(client, 'get_session_at', { sessionId, revision: -1 });
      expect(malformed).toMatchObject({ isError: true, text: expect.stringContaining('revision') });
    });
  });

  it('decides a round on standard input and output, and ends when the client hangs up', async () => {
    const machineName = await ownLoans();
    const { client, close } = await connectOverStdio(callsOfEngine(engine.redial), {
      profile: 'operate',
      actorToken,
    });
    await decideOneLoan(client, machineName, 'boss');
    await close();
  });

  const call = (params: string) =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_machines",${params}}}`;
  const invalidParams = {
    code: -32_602,
    message: expect.stringMatching(/^MCP error -32602: .* \[.*"arguments"/s),
  };

  it.each([
    ['no JSON', '{"jsonrpc":', null, { code: -32_700, message: 'Parse error' }],
    ['an empty line', '', null, { code: -32_700, message: 'Parse error' }],
    ['no JSON-RPC', '{"id":7}', null, { code: -32_600, message: 'Invalid Request' }],
    ['a list', '[]', null, { code: -32_600, message: 'Invalid Request' }],
    ['null as arguments', call('"arguments":null'), 7, invalidParams],
    ['a list of arguments', call('"arguments":[]'), 7, invalidParams],
  ])('X-S12: answers %s on standard input, and goes on', async (_, line, id, error) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
    const never = new Promise(() => undefined);
    const io = { stdin, stdout };
    const serving = serveStdio(callsOfEngine(engine.redial), '1.2.3', { profile: 'observe' }, never, io);
    const ask = async (text: string): Promise<unknown> => {
      const answered = once(stdout, 'data');
      stdin.write(`${text}\n`);
      const [answer] = await answered;
      return JSON.parse(String(answer));
    };
    expect(await ask(line)).toEqual({ jsonrpc: '2.0', id, error });
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ id: 1, result: {} });
    stdin.end();
    await serving;
  });
});
