import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { askPerson, defineWorkflow, RunCommands } from '#lib/workflow';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const people = { people: ['ann'] };

/** Asks ann, until its question expires. */
const asking = defineWorkflow<object, unknown>('asking', {
  input: { type: 'object' },
  versions: {
    1: function* () {
      const schema = { type: 'boolean' };
      const times = { dueIn: 'PT1S', expireIn: 'PT2S', onExpiry: { payload: false } };
      const { payload } = yield* askPerson({ title: 'Buy?', schema, ...people, ...times });
      return payload;
    },
  },
});

describe('time in a fork', () => {
  let server: RedialServer;
  let redial: Redial;
  beforeAll(async () => {
    server = await RedialServer.start({ options: { workflows: [asking] } });
    redial = server.app.get(Redial);
  });
  afterAll(() => server.stop());

  const machineOf = (machineName: string, asked: object) => ({
    machineName,
    initialState: 'asked',
    goalState: 'paid',
    states: { asked: { transitions: { pay: 'paid', drop: 'dropped' }, ...asked }, paid: {}, dropped: {} },
    specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
  });
  /** A session with the machine, and its fork at its last event. */
  async function forked(machineName: string, asked: object, instead?: object) {
    await redial.defineMachine(machineOf(machineName, asked));
    const { sessionId } = await redial.createSession({ machineName });
    if (!('after' in asked)) await redial.tickSession({ sessionId });
    const { revision: atRevision } = await redial.getSession({ sessionId });
    const overrides = instead && { overrides: { machine: machineOf(machineName, instead) } };
    return redial.forkSession({ sessionId, atRevision, ...overrides });
  }
  const until = (sessionId: string, type: string) =>
    untilEvent(server.log, (event) => event.type === type && event.stream.endsWith(sessionId));
  const expectIdentical = async (sessionId: string) =>
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });

  it('ends the wait of a run, whose times count from the fork on', async () => {
    const { runId } = await redial.startRun({ workflow: 'asking', input: {}, waitMs: 10_000 });
    const { revision: atRevision } = await redial.getRun({ runId });
    const fork = await redial.forkRun({ runId, atRevision });
    const [task] = (await redial.listTasks({ runId: fork.runId })).items;
    expect(Date.parse(task?.expiresAt ?? '')).toBeGreaterThanOrEqual(Date.parse(fork.createdAt) + 2_000);
    await until(fork.runId, 'WorkflowEnded');
    expect(await redial.getRun({ runId: fork.runId })).toMatchObject({ status: 'completed', result: false });
    expect(await redial.replayRun({ runId: fork.runId })).toMatchObject({ identical: true });
  });

  it('counts from the fork on for the age of a round: `after` executes its transition there too', async () => {
    const { sessionId } = await forked('aging', { after: [{ in: 'PT1S', transition: 'drop' }] });
    await until(sessionId, 'TransitionExecuted');
    expect(await redial.getSession({ sessionId })).toMatchObject({
      status: 'done',
      history: [{ transitionName: 'drop', decidedBy: 'timer' }],
    });
    await expectIdentical(sessionId);
    const { text } = await server.get(`/v1/sessions/${sessionId}/history`);
    const streams = text.split('\n').flatMap((line) => /"stream":"(due_times-[^"]+)"/.exec(line)?.[1] ?? []);
    const clock = await until(sessionId, 'SessionForked');
    expect(streams).toContain(`due_times-${String((clock.data as { clockId?: string }).clockId)}`);
  });

  it('ends a wait that has times: it is due, is listed by that, and expires', async () => {
    const { sessionId, createdAt } = await forked('expiring', {
      people: { ...people, dueIn: 'PT1S', expireIn: 'PT2S' },
    });
    const after = (seconds: number) => new Date(Date.parse(createdAt) + seconds * 1_000).toISOString();
    const times = { dueAt: after(1), expiresAt: after(2) };
    expect(await redial.listTasks({ sessionId })).toMatchObject({ items: [times] });
    await untilEvent(server.log, ({ type, occurredAt }) => type === 'TaskOverdue' && occurredAt >= after(1));
    expect(await redial.listTasks({ sessionId, status: 'all', overdue: 'true' })).toMatchObject({
      items: [times],
    });
    await until(sessionId, 'ClockEnded');
    expect(await redial.listTasks({ sessionId, status: 'expired' })).toMatchObject({ items: [times] });
    await expectIdentical(sessionId);
  });

  it('gets another clock by an operator where that of the fork was given up', async () => {
    const { sessionId } = await forked('failing', { people: { ...people, dueIn: 'PT1H', expireIn: 'PT2H' } });
    const { data } = await until(sessionId, 'ClockStarted');
    const { clockId = '' } = data as { readonly clockId?: string };
    const commands = server.app.get(RunCommands, { strict: false });
    const occurredAt = new Date().toISOString();
    const metadata = { occurredAt, correlationId: clockId, commandId: randomUUID(), actor: 'operator' };
    await commands.giveUp(server.log.streams.of('due_times', clockId), {}, { metadata });
    await until(sessionId, 'ClockEnded');
    const { taskId = '' } = (await redial.listTasks({ sessionId })).items[0] ?? {};
    const dueAt = new Date(Date.now() + 60_000).toISOString();
    expect(await redial.extendTask({ taskId, dueAt })).toMatchObject({ dueAt });
    await expectIdentical(sessionId);
  });

  it('has decided in its parent: the task of the copied wait has expired in lists as for itself', async () => {
    const drop = { people: { ...people, expireIn: 'PT1S', onExpiry: { transition: 'drop' } } };
    await redial.defineMachine(machineOf('decided', drop));
    const { sessionId: parent } = await redial.createSession({ machineName: 'decided' });
    await redial.tickSession({ sessionId: parent });
    await until(parent, 'TransitionExecuted');
    const { revision: atRevision } = await redial.getSession({ sessionId: parent });
    const { sessionId } = await redial.forkSession({ sessionId: parent, atRevision });
    for (const id of [parent, sessionId])
      expect(await redial.listTasks({ sessionId: id, status: 'expired' })).toMatchObject({
        items: [{ status: 'expired' }],
      });
  });

  it('has ended a wait in its parent: the task of the fork has the people of the machine of the fork', async () => {
    await redial.registerPerson({ personId: 'fay', role: 'reviewer' });
    const before = { people: { people: ['ann', 'fay'], approvals: 2, expireIn: 'PT1S' } };
    await redial.defineMachine(machineOf('late', before));
    await redial.registerPerson({ personId: 'ann', role: 'reviewer' });
    const { sessionId: parent } = await redial.createSession({ machineName: 'late' });
    await redial.tickSession({ sessionId: parent });
    await until(parent, 'ClockEnded');
    const { revision: atRevision } = await redial.getSession({ sessionId: parent });
    const machine = machineOf('late', { people: { people: ['fay'], priority: 80 } });
    const { sessionId } = await redial.forkSession({ sessionId: parent, atRevision, overrides: { machine } });
    const listed = async (candidate: string) =>
      (await redial.listTasks({ sessionId, status: 'all', candidate })).items;
    expect(await listed('fay')).toMatchObject([
      { status: 'expired', candidates: { people: ['fay'] }, priority: 80 },
    ]);
    expect(await listed('ann')).toEqual([]);
  });

  it('is that of the machine that the fork has in place of the other, as are the people', async () => {
    const later = { people: { people: ['eve'], priority: 90, dueIn: 'PT1H' } };
    await redial.registerPerson({ personId: 'eve', role: 'reviewer' });
    const { sessionId } = await forked('changed', { people }, later);
    const [task] = (await redial.listTasks({ sessionId })).items;
    expect(task).toMatchObject({
      candidates: { people: ['eve'] },
      priority: 90,
      dueAt: expect.any(String),
      overdue: false,
    });
    expect(await redial.listTasks({ sessionId, candidate: 'eve', sort: 'priority' })).toMatchObject({
      items: [{ taskId: task?.taskId }],
    });
    expect(await redial.listTasks({ sessionId, candidate: 'ann' })).toMatchObject({ items: [] });
    await expectIdentical(sessionId);
  });
});
