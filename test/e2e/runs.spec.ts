import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approval } from '../support/approval.workflow.js';
import { sentEvents, type SentEvent } from '../support/sent-events.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

const operator = { Authorization: `Bearer ${API_TOKEN}` };
const withKey = (key: string) => ({ ...operator, 'Idempotency-Key': key });

const rules = approval.versions[1] as NonNullable<(typeof approval.versions)[number]>;
/** Its prompt is null. */
const silent: typeof approval = {
  name: 'silent',
  versions: {
    1: {
      ...rules,
      next: (state) =>
        rules.next(state).map((step) => (step.do === 'await' ? { ...step, prompt: null } : step)),
    },
  },
};
const yes = { payload: { approved: true } };

describe('runs over HTTP', () => {
  let server: RedialServer;
  beforeAll(async () => {
    server = await RedialServer.start({
      environment: { REDIAL_API_TOKEN: API_TOKEN },
      options: { workflows: [approval, silent, { ...approval, name: 'inner', internal: true }] },
    });
  });
  afterAll(() => server.stop());

  const post = (path: string, body: object = {}, headers: Record<string, string> = operator) =>
    server.post(`/v1/runs${path}`, body, headers);
  const start = async (workflow = 'approval'): Promise<string> => {
    const { status, body } = await post('', {
      workflow,
      input: { item: 'chair' },
      waitMs: 5_000,
    });
    expect([status, body.status]).toEqual([201, 'waiting']);
    return (body as { runId: string }).runId;
  };

  it('start, wait for a person, take one answer, and end', async () => {
    const runId = await start();
    const first = await post(`/${runId}/signals/approval`, yes);
    expect([first.status, first.body.runId]).toEqual([200, runId]);
    const second = await post(`/${runId}/signals/approval`, yes);
    expect([second.status, second.body.code]).toEqual([409, 'not-awaited']);
    const ended = await server.get(`/v1/runs/${runId}?waitMs=5000`, operator);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: { approved: true },
      awaiting: [],
      revision: 3,
    });
    const events = await server.log.readStream(server.log.streams.of('approval', runId));
    expect(ended.headers['redial-position']).toBe(events.at(-1)?.position);
    const replayed = await post(`/${runId}/replay`);
    expect(replayed.body).toEqual({
      runId,
      identical: true,
      streamsChecked: 1,
      eventsChecked: 2,
      eventsTaken: 2,
      open: 0,
      recomputed: 0,
      notRecomputed: 0,
      divergences: [],
    });
  });

  it('refuse a signal that does not fit, with pointers, and one that nothing waits for', async () => {
    const runId = await start();
    const unfit = await post(`/${runId}/signals/approval`, { payload: { approved: 'perhaps' } });
    expect([unfit.status, unfit.body.code, unfit.body.errors]).toEqual([
      422,
      'invalid-payload',
      [{ path: '/payload/approved', message: expect.any(String) }],
    ]);
    const other = await post(`/${runId}/signals/other`, yes);
    expect([other.status, other.body.code]).toEqual([409, 'not-awaited']);
    const unknown = await post(`/${runId.replace(/^........../, '00000000-0')}/signals/approval`, yes);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown-run']);
  });

  it('give a repeated key the first answer, without a new event, and refuse it with another body', async () => {
    const input = { workflow: 'approval', input: { item: 'desk' } };
    const first = await post('', input, withKey('a'));
    const { runId } = first.body as { runId: string };
    expect([first.status, first.body.status]).toEqual([201, 'running']);
    await server.get(`/v1/runs/${runId}?waitMs=5000`, operator);
    const again = await post('', input, withKey('a'));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await post('', { ...input, input: { item: 'x' } }, withKey('a'))).status).toBe(422);
    const signalled = await post(`/${runId}/signals/approval`, yes, withKey('b'));
    await server.get(`/v1/runs/${runId}?waitMs=5000`, operator);
    const repeated = await post(`/${runId}/signals/approval`, yes, withKey('b'));
    expect([repeated.status, repeated.body]).toEqual([200, signalled.body]);
    const changed = { payload: { approved: false } };
    expect((await post(`/${runId}/signals/approval`, changed, withKey('b'))).status).toBe(422);
    expect(await server.log.readStream(server.log.streams.of('approval', runId))).toHaveLength(4);
  });

  it('are cancelled once, and are listed by status with what they wait for', async () => {
    const runId = await start();
    const listed = await server.get('/v1/runs?status=waiting&limit=1', operator);
    expect(listed.body.items).toMatchObject([
      { runId, status: 'waiting', awaiting: [{ awaitId: 'approval', signal: 'approval' }] },
    ]);
    expect((await post(`/${runId}/cancel`, { reason: 'not needed' })).status).toBe(200);
    const ended = await server.get(`/v1/runs/${runId}?waitMs=5000`, operator);
    expect(ended.body.status).toBe('cancelled');
    const again = await post(`/${runId}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, 'not-running']);
    const { body } = await server.get('/v1/runs?status=cancelled&limit=1', operator);
    expect(body.items).toMatchObject([{ runId, status: 'cancelled', awaiting: [] }]);
  });

  it('have the same awaits alone and in a list, without a prompt where it is null', async () => {
    const runId = await start('silent');
    const { body: alone } = await server.get(`/v1/runs/${runId}`, operator);
    const listed = await server.get('/v1/runs?status=waiting&limit=1', operator);
    expect(listed.body.items).toMatchObject([{ runId }]);
    expect(listed.body.items[0].awaiting).toEqual(alone.awaiting);
    expect(alone.awaiting).toMatchObject([{ awaitId: 'approval' }]);
    expect(alone.awaiting[0]).not.toHaveProperty('prompt');
  });

  it('that wait are in the inbox, with what an answer needs', async () => {
    const runId = await start();
    const { body } = await server.get('/v1/inbox?limit=500', operator);
    const { items } = body as { items: { runId: string }[] };
    expect(items.find((item) => item.runId === runId)).toEqual({
      kind: 'approval',
      runId,
      workflow: 'approval',
      awaitId: 'approval',
      signal: 'approval',
      schema: expect.any(Object),
      prompt: { item: 'chair' },
      since: expect.any(String),
    });
    await post(`/${runId}/signals/approval`, yes);
    await server.get(`/v1/runs/${runId}?waitMs=5000`, operator);
    const later = await server.get('/v1/inbox?limit=500', operator);
    expect(JSON.stringify(later.body)).not.toContain(runId);
  });

  it('may be answered by a reviewer and read by a viewer, and no more', async () => {
    const runId = await start();
    const tokenOf = async (role: string) => {
      const { body } = await server.post('/v1/people', { personId: `run-${role}`, role }, operator);
      return { Authorization: `Bearer ${(body as { token: string }).token}` };
    };
    const viewer = await tokenOf('viewer');
    const reviewer = await tokenOf('reviewer');
    expect((await server.get(`/v1/runs/${runId}`, viewer)).status).toBe(200);
    expect((await post(`/${runId}/replay`, {}, viewer)).status).toBe(200);
    expect((await post(`/${runId}/signals/approval`, yes, viewer)).body.code).toBe('role');
    expect((await post(`/${runId}/cancel`, {}, reviewer)).body.code).toBe('role');
    expect((await post(`/${runId}/signals/approval`, yes, reviewer)).status).toBe(200);
    const events = await server.log.readStream(server.log.streams.of('approval', runId));
    expect(events.find(({ type }) => type === 'SignalReceived')?.metadata.actor).toBe('run-reviewer');
  });

  it('of an internal workflow are not started here', async () => {
    const refused = await post('', { workflow: 'inner', input: { item: 'chair' } });
    expect([refused.status, refused.body.code]).toEqual([404, 'unknown-workflow']);
  });

  it('stream their events, first those that are there, then live, from where a client left', async () => {
    const runId = await start();
    const leaving = new AbortController();
    const open = async (headers: Record<string, string> = {}) => {
      const url = `${server.url}/v1/runs/${runId}/events/stream`;
      return sentEvents(await fetch(url, { headers: { ...operator, ...headers }, signal: leaving.signal }));
    };
    const take = async (events: AsyncGenerator<SentEvent>, count: number) => {
      const taken: SentEvent[] = [];
      while (taken.length < count) {
        const next = await events.next();
        if (next.done === true) throw new Error('The stream ended.');
        taken.push(next.value);
      }
      return taken;
    };
    const events = await open();
    const old = await take(events, 2);
    expect(old.map(({ event }) => event)).toEqual(['WorkflowStarted', 'SignalAwaited']);
    await post(`/${runId}/signals/approval`, yes);
    const live = await take(events, 2);
    expect(live.map(({ event }) => event)).toEqual(['SignalReceived', 'WorkflowEnded']);
    const resumed = await open({ 'Last-Event-ID': old[1]?.id ?? '' });
    expect(await take(resumed, 2)).toEqual(live);
    leaving.abort();
    const malformed = await server.get(`/v1/runs/${runId}/events/stream?minPosition=nonsense`, operator);
    expect(malformed).toMatchObject({ status: 400, body: { errors: [{ path: '/minPosition' }] } });
  });
});
