import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { clerk, openRefund, refunds } from '../support/refunds.js';

const SESSION = {
  machineName: 'refunds',
  machineVersion: 1,
  currentState: 'triage',
  status: 'open',
  history: [],
  metaJson: { text: 'Broken cup' },
  revision: 0,
};

describeOnEachEngine('sessions over HTTP', (emptyPlace) => {
  let server: RedialServer;
  let sessionId: string;

  beforeAll(async () => {
    server = await RedialServer.start({ place: await emptyPlace() });
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    sessionId = await openRefund(server);
  });

  async function approve() {
    server.llm.enqueue(toolCall('approve', { amount: 12 }));
    const proposed = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    const { proposalId } = proposed.body as { proposalId: string };
    const body = { transitionName: 'approve', toState: 'closed', proposalId };
    return { proposed, executed: await server.post(`/v1/sessions/${sessionId}/transitions`, body) };
  }

  it('D-20, D-24: asks a model, executes its proposal, and answers everything about it', async () => {
    const { proposed, executed } = await approve();
    expect(proposed.status).toBe(201);
    expect(proposed.body).toMatchObject({
      sessionId,
      specialistId: 'clerk',
      transitionName: 'approve',
      toState: 'closed',
      isHuman: false,
      metaJson: { amount: 12 },
      status: 'open',
    });
    expect(executed.status).toBe(200);
    expect(executed.body).toMatchObject({
      currentState: 'closed',
      status: 'done',
      history: [{ transitionName: 'approve', fromState: 'triage', isHuman: false, metaJson: { amount: 12 } }],
    });
    expect(executed.headers['redial-position']).toBe(await server.head());
    const read = await server.get(`/v1/sessions/${sessionId}`);
    expect(read.body).toEqual(executed.body);
    const proposals = await server.get(`/v1/sessions/${sessionId}/proposals`);
    expect(proposals.body).toMatchObject({ items: [{ status: 'won' }], nextCursor: null });
  });

  it('shows the session as it was after a revision', async () => {
    await approve();
    const first = await server.get(`/v1/sessions/${sessionId}/at/0`);
    expect(first.body).toMatchObject({ ...SESSION, sessionId });
    expect(Object.keys((first.body as { machine: object }).machine)).toContain('states');
    expect((await server.get(`/v1/sessions/${sessionId}/at/99`)).body).toMatchObject({
      status: 404,
      code: 'unknown-revision',
    });
    expect((await server.get(`/v1/sessions/${sessionId}/at/first`)).status).toBe(400);
  });

  it('lists sessions without their machines, narrowed to what is asked for', async () => {
    const machineName = 'listed';
    await server.post('/v1/machines', { ...refunds, machineName });
    const made = await server.post('/v1/sessions', { machineName, metaJson: SESSION.metaJson });
    const listed = { ...SESSION, machineName, sessionId: made.body.sessionId };
    const newest = await server.get('/v1/sessions?limit=1');
    expect(newest.body).toMatchObject({ items: [listed] });
    expect((newest.body as { items: object[] }).items[0]).not.toHaveProperty('machine');
    const all = await server.get('/v1/sessions?machineName=listed');
    expect(all.body).toMatchObject({ items: [listed], nextCursor: null });
    for (const [query, count] of [
      ['machineName=listed&currentState=triage&status=open', 1],
      ['machineName=listed&status=done', 0],
      ['machineName=other', 0],
    ]) {
      const { body } = await server.get(`/v1/sessions?${query}`);
      expect((body as { items: object[] }).items).toHaveLength(Number(count));
    }
  });

  it('starts a session of a machine that comes along, which is defined for nobody else', async () => {
    const started = await server.post('/v1/sessions', { machine: { ...refunds, machineName: 'once' } });
    expect(started.status).toBe(201);
    expect(started.body).toMatchObject({ machineName: 'once', machine: { machineName: 'once' } });
    expect(started.body).not.toHaveProperty('machineVersion');
    expect((await server.get('/v1/machines/once')).status).toBe(404);
  });

  it('gives the events of the session and its solicitations in log order, whole', async () => {
    await approve();
    const { body } = await server.get(`/v1/sessions/${sessionId}/events`);
    const { items } = body as { items: { type: string; position: string; data: object }[] };
    expect(items.map(({ type }) => type)).toEqual([
      'SessionCreated',
      'ProposalSolicited',
      'WorkflowStarted',
      'LlmCallRequested',
      'LlmCallCompleted',
      'WorkflowEnded',
      'ProposalSubmitted',
      'TransitionExecuted',
    ]);
    expect(items.map(({ position }) => position)).toEqual(items.map(({ position }) => position).toSorted());
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual([
      'data',
      'eventId',
      'metadata',
      'occurredAt',
      'position',
      'revision',
      'schemaVersion',
      'stream',
      'summary',
      'type',
    ]);
    const paged = await server.get(`/v1/sessions/${sessionId}/events?limit=5`);
    const { nextCursor } = paged.body as { nextCursor: string };
    const rest = await server.get(`/v1/sessions/${sessionId}/events?limit=5&cursor=${nextCursor}`);
    expect([...paged.body.items, ...rest.body.items]).toEqual(items);
    expect(rest.body).toMatchObject({ nextCursor: null });
  });

  it('refuses a cursor of the same list of another session: 400', async () => {
    for (const specialistId of ['ann', 'ben']) {
      await server.post('/v1/specialists', { ...clerk, specialistId });
      const body = { specialistId, transitionName: 'escalate' };
      expect((await server.post(`/v1/sessions/${sessionId}/proposals`, body)).status).toBe(201);
    }
    const other = await openRefund(server);
    for (const list of ['events', 'proposals']) {
      const { nextCursor } = (await server.get(`/v1/sessions/${sessionId}/${list}?limit=1`)).body;
      expect(nextCursor).toEqual(expect.any(String));
      expect(await server.get(`/v1/sessions/${other}/${list}?cursor=${String(nextCursor)}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-cursor' },
      });
    }
  });

  it('replays the session identically and writes nothing', async () => {
    await approve();
    const before = await server.head();
    const { status, body } = await server.post(`/v1/sessions/${sessionId}/replay`);
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionId,
      identical: true,
      streamsChecked: 2,
      eventsChecked: 6,
      eventsTaken: 2,
      open: 0,
      divergences: [],
    });
    expect(await server.head()).toBe(before);
  });
});
