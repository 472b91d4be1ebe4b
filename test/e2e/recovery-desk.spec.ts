import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { RedialServer } from '../support/redial-server.js';
import { obstacle, stumbling } from '../support/stumbling.workflow.js';

interface Item {
  readonly stream: string;
  readonly attempts: number;
}

describe('what recovery set aside (X-S1)', () => {
  let server: RedialServer;
  beforeEach(async () => {
    obstacle.isThere = true;
    const place = { dataDir: temporaryFolder() };
    server = await RedialServer.start({ place, options: { workflows: [stumbling] } });
    await server.post('/v1/runs', { workflow: 'stumbling', input: {} });
  });
  afterEach(async () => {
    await server.stop();
  });

  async function restart(): Promise<void> {
    await server.stop();
    server = await RedialServer.start({ place: server.place, options: { workflows: [stumbling] } });
  }

  async function item(): Promise<Item> {
    for (;;) {
      const { body } = await server.get('/v1/recovery');
      const [first] = (body as { items: Item[] }).items;
      if (first) return first;
    }
  }
  const act = async (verb: string) =>
    server.post(`/v1/recovery/${encodeURIComponent((await item()).stream)}/${verb}`);
  const runStatus = async () =>
    (await server.get('/v1/runs?workflow=stumbling')).body.items[0].status as string;

  it('is listed with its failure, and the server serves', async () => {
    expect(await item()).toMatchObject({
      stream: expect.stringMatching(/^redial_stumbling-/),
      workflow: 'stumbling',
      failure: expect.stringContaining('the price of the order is missing'),
      since: expect.any(String),
      status: 'set-aside',
    });
    expect((await server.get('/health/ready')).status).toBe(200);
  });

  it('stops no start: the server listens, then recovery finds it again', async () => {
    await restart();
    expect(await item()).toMatchObject({ workflow: 'stumbling', status: 'set-aside' });
  });

  it('fails again on a retry, which counts, and continues after the cause is removed', async () => {
    // The process that has started it tries it once more when it reads the start in the log, at any time.
    await restart();
    const { attempts } = await item();
    const again = await act('retry');
    expect([again.status, again.body]).toMatchObject([200, { status: 'set-aside', attempts: attempts + 1 }]);
    obstacle.isThere = false;
    expect((await act('retry')).body).toMatchObject({ status: 'resumed' });
    expect((await server.get('/v1/recovery')).body).toEqual({ items: [], nextCursor: null });
    expect(await runStatus()).toBe('completed');
  });

  it('is given up by an operator: the run has failed, and nothing is set aside', async () => {
    const given = await act('give-up');
    expect([given.status, given.body]).toMatchObject([200, { status: 'given-up' }]);
    expect((await server.get('/v1/recovery')).body).toEqual({ items: [], nextCursor: null });
    expect(await runStatus()).toBe('failed');
  });

  it('is 404 for what is not set aside', async () => {
    const answer = await server.post('/v1/recovery/redial_stumbling-none/retry');
    expect([answer.status, answer.body.code]).toEqual([404, 'not-set-aside']);
  });
});
