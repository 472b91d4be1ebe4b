import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { heldBack, toolCall } from '#lib/activities/testing';
import { readEnvironment } from '#lib/engine';
import { checkListenAddress, urlOf } from '../../apps/server/src/listen-address.js';
import { startServer } from '../../apps/server/src/start-server.js';
import { RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';

describe('starting the server', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
  });

  const environment = (variables: NodeJS.ProcessEnv) =>
    readEnvironment({ REDIAL_DATA_DIR: join(dataDir, 'data'), PORT: '0', LOG_LEVEL: 'fatal', ...variables });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])(
    'refuses to listen on %s without a token, names the setting, and opens nothing',
    async (HOST) => {
      await expect(startServer(environment({ HOST }))).rejects.toThrow(
        /^\[OpenToOthers\] .*REDIAL_API_TOKEN is not set/,
      );
      expect(await readdir(dataDir)).toEqual([]);
    },
  );

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('takes %s for this host alone', (HOST) => {
    expect(() => checkListenAddress(environment({ HOST }))).not.toThrow();
  });

  it('listens anywhere with a token', () => {
    const REDIAL_API_TOKEN = 'a-token-of-16-or-more';
    expect(() => checkListenAddress(environment({ HOST: '0.0.0.0', REDIAL_API_TOKEN }))).not.toThrow();
  });

  it('writes IPv6 addresses in brackets', () => {
    expect([urlOf('::1', 80), urlOf('127.0.0.1', 80)]).toEqual(['http://[::1]:80', 'http://127.0.0.1:80']);
  });

  it('says which address it cannot have, and lets go of what it opened', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const started = startServer(environment({ PORT: String(port) }));
    await started.catch(() => other.close());
    await expect(started).rejects.toThrow(
      new RegExp(String.raw`^\[CannotListen\] .*http://127\.0\.0\.1:${port}: .*EADDRINUSE`),
    );
  });

  it('says what is wrong with the data folder', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(startServer(environment({ REDIAL_DATA_DIR: file }))).rejects.toThrow(
      /^\[StoreUnavailable\] /,
    );
  });
});

describe('stopping the server', () => {
  it('answers callers that wait for a model, ends streams, and continues with its data at the next start', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const place = { dataDir: temporaryFolder() };
    const server = await RedialServer.start({ script: [heldBack(toolCall('approve', {}), held)], place });
    const sessionId = await openRefund(server);
    const asked = server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    const stream = fetch(`${server.url}/v1/sessions/${sessionId}/events/stream`).then((open) => open.text());
    await server.llm.received(1);
    const stopped = server.stop();
    release();
    expect(await asked).toMatchObject({ status: 201, body: { transitionName: 'approve' } });
    await stopped;
    expect(await stream).toContain('event: SessionCreated');
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    const next = await RedialServer.start({ place });
    expect((await next.get(`/v1/sessions/${sessionId}/proposals`)).body.items).toHaveLength(1);
    await next.stop();
  });

  it('marks calls that outlast the grace period of the stop, and answers their callers so, with the position', async () => {
    const never = heldBack(toolCall('approve', {}), new Promise(() => {}));
    const server = await RedialServer.start({
      script: [never, never],
      options: { shutdownGraceMs: 0 },
    });
    const sessionId = await openRefund(server);
    const flows = [{ title: 'Greeting', steps: [{ prompt: 'Greet' }] }];
    await server.post('/v1/agents', { agentName: 'greeter', model: 'gpt-4o-mini', flows });
    const { conversationId } = (await server.post('/v1/conversations', { agentName: 'greeter' })).body;
    const asked = [
      server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' }),
      server.post(`/v1/conversations/${conversationId}/messages`, { text: 'Hello' }),
    ];
    await server.llm.received(2);
    await server.stop();
    const headers = { 'redial-position': expect.any(String) };
    expect(await Promise.all(asked)).toMatchObject([
      { status: 503, headers, body: { code: 'solicitation-unfinished' } },
      { status: 503, headers, body: { code: 'turn-unfinished' } },
    ]);
  });
});
