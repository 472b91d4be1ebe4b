import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const people = { people: ['ann'] };

describe('time in the fork of a session', () => {
  let server: RedialServer;
  let redial: Redial;
  beforeAll(async () => {
    server = await RedialServer.start();
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

  it('counts from the fork on for the age of a round: `after` executes its transition there too', async () => {
    const { sessionId } = await forked('aging', { after: [{ in: 'PT1S', transition: 'drop' }] });
    await until(sessionId, 'TransitionExecuted');
    expect(await redial.getSession({ sessionId })).toMatchObject({
      status: 'done',
      history: [{ transitionName: 'drop', decidedBy: 'timer' }],
    });
    await expectIdentical(sessionId);
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
