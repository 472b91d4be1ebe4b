import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readEnvironment } from '#lib/engine';
import { type RunningMcp, serveHttp } from '../../apps/mcp/src/serve-http.js';
import { serveStdio } from '../../apps/mcp/src/serve-stdio.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { lenders, loans } from '../support/loans.js';
import { HttpTransport } from './http-transport.js';

/** Calls a tool; its text, and whether it is an error. */
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [{ text }] = content as [{ text: string }];
  return { text, isError, value: isError ? undefined : (JSON.parse(text) as Record<string, unknown>) };
}

/** What anybody can do over MCP, whatever carries it. */
async function decideOneLoan(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['create_session', 'submit_arbitration', 'evaluate_consensus', 'replay_session']),
  );
  const { value: machine } = await call(client, 'define_machine', { machine: loans });
  const { actorTokens } = machine as { actorTokens: { boss: string } };
  const actorToken = actorTokens.boss;
  const { value: session } = await call(client, 'create_session', {
    machineName: 'loans',
    metaJson: { amount: 10 },
  });
  const sessionId = session?.['sessionId'];
  const ran = await call(client, 'run_session', { sessionId });
  expect(ran.value).toMatchObject({ sessionId, status: 'needs_human' });
  const forced = { sessionId, specialistId: 'boss', transitionName: 'approve', idempotencyKey: 'k' };
  const refused = await call(client, 'submit_arbitration', forced);
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('[NotThatHuman]') });
  const granted = await call(client, 'submit_arbitration', { ...forced, actorToken });
  expect(granted.value).toMatchObject({ executed: true, isHuman: true });
  expect(await call(client, 'submit_arbitration', { ...forced, actorToken })).toEqual(granted);
  const { value: metrics } = await call(client, 'get_collapse_metrics', { machineName: 'loans' });
  expect(metrics).toMatchObject({ humanDecisions: 1 });
  const { value: decisions } = await call(client, 'get_decision_log', { machineName: 'loans' });
  expect(decisions).toMatchObject({ items: [{ sessionId, how: 'override' }] });
  const { value: replayed } = await call(client, 'replay_session', { sessionId });
  expect(replayed).toMatchObject({ identical: true });
}

describe('the MCP server', () => {
  let engine: TestEngine;
  let client: Client;

  beforeEach(async () => {
    engine = await startEngine([], { strategies: lenders });
    client = new Client({ name: 'test', version: '1' });
  });

  afterEach(async () => {
    await client.close();
    await engine.stop();
  });

  describe('over streamable HTTP', () => {
    let running: RunningMcp | undefined;

    async function connect(environment: NodeJS.ProcessEnv, token?: string): Promise<void> {
      running = await serveHttp(engine.redial, '1.2.3', readEnvironment({ PORT: '0', ...environment }));
      const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
      await client.connect(new HttpTransport(running.url, headers));
    }

    afterEach(() => running?.stop());

    it('decides a round with models, people and an arbiter, and replays it', async () => {
      await connect({});
      expect(client.getServerVersion()).toMatchObject({ name: 'redial', version: '1.2.3' });
      await decideOneLoan(client);
    });

    it('lets nobody in without the token where there is one', async () => {
      await expect(connect({ REDIAL_API_TOKEN: 'secret' })).rejects.toThrow('HTTP 401');
      await running?.stop();
      await connect({ REDIAL_API_TOKEN: 'secret' }, 'secret');
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    });

    it('answers what is refused, and what is malformed, as a tool error that says why', async () => {
      await connect({});
      const unknown = await call(client, 'get_session', {
        sessionId: '6f1a6a5e-3f64-4b5e-9f0b-0c5a3f6f7d11',
      });
      expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('[UnknownSession]') });
      const malformed = await call(client, 'get_session', { sessionId: 'x' });
      expect(malformed).toMatchObject({ isError: true, text: expect.stringContaining('sessionId') });
    });
  });

  it('decides a round on standard input and output, and ends when the client hangs up', async () => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const never = new Promise(() => undefined);
    const serving = serveStdio(engine.redial, '1.2.3', never, { stdin: toServer, stdout: toClient });
    await client.connect(new StdioServerTransport(toClient, toServer));
    await decideOneLoan(client);
    await client.close();
    toServer.end();
    await serving;
  });
});
