import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunCommands } from '#lib/workflow';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const transitions = { pay: 'paid', drop: 'dropped', wait: 'asked' };
const states = (asked: object) => ({ asked: { transitions, ...asked }, paid: {}, dropped: {} });
const named = (machineName: string, asked: object) => ({
  machineName,
  initialState: 'asked',
  goalState: 'paid',
  states: states(asked),
  specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
});
const people = { people: ['ann'] };

interface Session {
  readonly sessionId: string;
  readonly status: string;
  readonly currentRoundId: string;
  readonly history: readonly object[];
}

describe('clocks and ends of sessions', () => {
  let server: RedialServer;
  beforeAll(async () => {
    server = await RedialServer.start();
  });
  afterAll(() => server.stop());

  async function post(path: string, body: object = {}) {
    const answer = await server.http.post(path).send(body);
    return { status: answer.status, body: answer.body as Record<string, unknown> };
  }
  async function get<Body>(path: string): Promise<Body> {
    return (await server.http.get(path)).body as Body;
  }
  async function begun(machineName: string, asked: object): Promise<Session> {
    expect(await post('/v1/machines', named(machineName, asked))).toMatchObject({ status: 201 });
    const { body } = await post('/v1/sessions', { machineName });
    return body as unknown as Session;
  }
  /** The session once this type is in its stream. */
  async function until(sessionId: string, type: string): Promise<Session> {
    for (;;) {
      const { items } = await get<{ items: { type: string }[] }>(
        `/v1/sessions/${sessionId}/events?limit=500`,
      );
      if (items.some((event) => event.type === type)) return get(`/v1/sessions/${sessionId}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  /** The clock that runs, once it awaits its moves. */
  async function untilClock(): Promise<{ readonly runId: string }> {
    for (;;) {
      const { items } = await get<{ items: { runId: string; revision: number; endedAt?: string }[] }>(
        '/v1/runs?workflow=due_times',
      );
      const clock = items.find(({ revision, endedAt }) => revision >= 2 && endedAt === undefined);
      if (clock) return clock;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const replayed = async (sessionId: string) =>
    expect((await post(`/v1/sessions/${sessionId}/replay`)).body).toMatchObject({
      identical: true,
      divergences: [],
    });

  it('execute the transition of `after` when the round is that old, and replay identical', async () => {
    const { sessionId } = await begun('aging', { after: [{ in: 'PT1S', transition: 'drop' }] });
    const session = await until(sessionId, 'TransitionExecuted');
    const record = { transitionName: 'drop', decidedBy: 'timer', isHuman: false };
    expect(session).toMatchObject({ status: 'done', history: [record] });
    await replayed(sessionId);
    const { items } = await get<{ items: object[] }>(`/v1/machines/aging/decisions`);
    expect(items).toMatchObject([{ how: 'timer' }]);
  });

  it('are in no inbox, and no runs that wait: a session with `dueIn` is one item', async () => {
    const { sessionId } = await begun('due', { people: { ...people, dueIn: 'PT1H' } });
    await post(`/v1/sessions/${sessionId}/run`);
    const clock = await untilClock();
    expect(clock).toMatchObject({ status: 'running', awaiting: [] });
    expect(await get(`/v1/runs/${clock.runId}`)).toMatchObject({ status: 'running', awaiting: [] });
    expect(await get('/v1/runs?status=waiting')).toMatchObject({ items: [] });
    expect(await get('/v1/inbox')).toMatchObject({ items: [{ kind: 'decision', sessionId }] });
    const decide = { transitionName: 'pay', actAs: 'ann' };
    expect(await post(`/v1/sessions/${sessionId}/arbitrations`, decide)).toMatchObject({ status: 200 });
  });

  it('expire a wait without an outcome: its task is gone, and an operator goes on', async () => {
    const { sessionId, currentRoundId: roundId } = await begun('expiring', {
      people: { ...people, expireIn: 'PT1S' },
    });
    await post(`/v1/sessions/${sessionId}/run`);
    const task = async () => {
      const { items } = await get<{ items: Record<string, unknown>[] }>(
        `/v1/tasks?sessionId=${sessionId}&status=all`,
      );
      return items[0] ?? {};
    };
    const { expiresAt } = await task();
    expect(await until(sessionId, 'ClockEnded')).toMatchObject({ status: 'needs_human' });
    expect(expiresAt).toEqual(expect.any(String));
    expect(await task()).toMatchObject({ status: 'expired', expiresAt });
    expect(await get(`/v1/inbox?sessionId=${sessionId}`)).toMatchObject({ items: [] });
    const decide = { transitionName: 'pay', actAs: 'ann', roundId };
    expect(await post(`/v1/sessions/${sessionId}/arbitrations`, decide)).toMatchObject({
      status: 410,
      body: { code: 'expired' },
    });
    const operators = { transitionName: 'drop', toState: 'dropped' };
    expect(await post(`/v1/sessions/${sessionId}/transitions`, operators)).toMatchObject({ status: 200 });
    await replayed(sessionId);
  });

  it('expire a wait with its outcome, unless a person was faster: then the clock ends and decides nothing', async () => {
    const timed = { ...people, expireIn: 'PT1S', onExpiry: { transition: 'drop' } };
    const { sessionId: late } = await begun('deciding', { people: timed });
    await post(`/v1/sessions/${late}/run`);
    /** Of another session where the clock was faster, as on a busy machine. */
    const decidedByPerson = async (): Promise<string> => {
      for (;;) {
        const { body } = await post('/v1/sessions', { machineName: 'deciding' });
        const { sessionId } = body as { sessionId: string };
        await post(`/v1/sessions/${sessionId}/run`);
        const decide = { transitionName: 'pay', actAs: 'ann' };
        const answered = await post(`/v1/sessions/${sessionId}/arbitrations`, decide);
        const { history } = await get<Session>(`/v1/sessions/${sessionId}`);
        if (history.some((record) => 'decidedBy' in record && record.decidedBy === 'timer')) continue;
        expect(answered).toMatchObject({ status: 200, body: { executed: true } });
        return sessionId;
      }
    };
    const early = await decidedByPerson();
    expect(await until(late, 'TransitionExecuted')).toMatchObject({ history: [{ decidedBy: 'timer' }] });
    expect(await get(`/v1/sessions/${early}`)).toMatchObject({ history: [{ transitionName: 'pay' }] });
    await replayed(late);
    await replayed(early);
  });

  it('show in tasks, in their lists, orders and counts; an operator moves them', async () => {
    const timed = {
      ...people,
      dueIn: 'PT1S',
      remindBefore: ['PT1S'],
      escalations: [{ in: 'PT1S', people: ['eve'] }],
    };
    const { sessionId } = await begun('timed', { people: timed });
    await post(`/v1/sessions/${sessionId}/run`);
    const tasksOf = async (query: string) =>
      (await get<{ items: Record<string, unknown>[] }>(`/v1/tasks?machineName=timed&${query}`)).items;
    for (;;) {
      const [task] = await tasksOf('overdue=true');
      if (task?.['escalated'] === 1) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const [task] = await tasksOf('sort=due');
    const { taskId } = task as { taskId: string };
    expect(task).toMatchObject({ overdue: true, escalated: 1, candidates: { people: ['ann', 'eve'] } });
    expect(await get('/v1/tasks/counts')).toMatchObject({ overdue: 1 });
    const dueAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(await post(`/v1/tasks/${taskId}/extend`, { dueAt })).toMatchObject({
      status: 200,
      body: { dueAt, overdue: false },
    });
    expect(await tasksOf('overdue=true')).toEqual([]);
    expect(await tasksOf('overdue=false')).toMatchObject([{ taskId }]);
    const { items } = await get<{ items: { type: string }[] }>(`/v1/tasks/${taskId}/events`);
    expect(items.map(({ type }) => type)).toEqual([
      'TaskReminded',
      'TaskOverdue',
      'TaskEscalated',
      'DueMoved',
    ]);
    expect(await post(`/v1/tasks/${taskId}/extend`, { dueAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 422,
    });
    await replayed(sessionId);
  });

  it('a clock that was given up has a successor that an operator moves, and its escalations stay', async () => {
    await post('/v1/people', { personId: 'eve', role: 'reviewer' });
    const timed = { ...people, dueIn: 'PT1H', escalations: [{ in: 'PT1S', people: ['eve'] }] };
    const { sessionId } = await begun('given-up', { people: timed });
    await post(`/v1/sessions/${sessionId}/run`);
    const task = async () => {
      const { items } = await get<{ items: Record<string, unknown>[] }>(`/v1/tasks?sessionId=${sessionId}`);
      return items[0] ?? {};
    };
    while ((await task())['escalated'] !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
    const session = await get<{ items: { data: { clockId?: string } }[] }>(
      `/v1/sessions/${sessionId}/events`,
    );
    const clockId = session.items.find(({ data }) => data.clockId !== undefined)?.data.clockId ?? '';
    const commands = server.app.get(RunCommands, { strict: false });
    const metadata = {
      occurredAt: new Date().toISOString(),
      correlationId: clockId,
      commandId: randomUUID(),
      actor: 'operator',
    };
    await commands.giveUp(server.log.streams.of('due_times', clockId), {}, { metadata });
    await until(sessionId, 'ClockEnded');
    const candidates = { people: ['ann', 'eve'] };
    expect(await task()).toMatchObject({ escalated: 1, candidates });
    expect((await task())['dueAt']).toBeUndefined();
    expect(await get(`/v1/tasks?sessionId=${sessionId}&sort=due`)).toMatchObject({
      items: [{ overdue: false }],
    });
    const dueAt = new Date(Date.now() + 3_600_000).toISOString();
    const path = `/v1/tasks/${String((await task())['taskId'])}`;
    expect(await post(`${path}/extend`, { dueAt })).toMatchObject({
      status: 200,
      body: { dueAt, escalated: 1, candidates },
    });
    const decide = { transitionName: 'pay', actAs: 'eve' };
    expect(await post(`/v1/sessions/${sessionId}/arbitrations`, decide)).toMatchObject({ status: 200 });
    await replayed(sessionId);
  });

  it('a session is closed once: its task is withdrawn, its clock ends, and commands are refused', async () => {
    const { sessionId } = await begun('closing', { people: { ...people, dueIn: 'PT1H' } });
    const path = `/v1/sessions/${sessionId}`;
    await post(`${path}/run`);
    const { items } = await get<{ items: { taskId: string; digest: string }[] }>(
      `/v1/tasks?sessionId=${sessionId}`,
    );
    const [task] = items;
    const closed = await post(`${path}/close`, { reason: 'a mistake' });
    expect(closed).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(await post(`${path}/close`)).toEqual(closed);
    const { digest, taskId } = task ?? { digest: '', taskId: '' };
    const answer = { choice: 'transition', transitionName: 'pay', digest, actAs: 'ann' };
    const withdrawn = { status: 410, body: { code: 'withdrawn' } };
    expect(await post(`/v1/tasks/${taskId}/answer`, answer)).toMatchObject(withdrawn);
    expect(await get(`/v1/tasks?sessionId=${sessionId}&status=withdrawn`)).toMatchObject({
      items: [{ taskId }],
    });
    const refused = { status: 409, body: { code: 'closed' } };
    expect(await post(`${path}/run`)).toMatchObject(refused);
    expect(await post(`${path}/tick`)).toMatchObject(refused);
    expect(await post(`${path}/arbitrations`, { transitionName: 'pay', actAs: 'ann' })).toMatchObject(
      refused,
    );
    expect(await post(`${path}/transitions`, { transitionName: 'pay', toState: 'paid' })).toMatchObject(
      refused,
    );
    expect(await post(`${path}/proposals`, { specialistId: 'ann', transitionName: 'pay' })).toMatchObject(
      refused,
    );
    expect(await get('/v1/sessions?status=closed')).toMatchObject({ items: [{ sessionId }] });
    await replayed(sessionId);
    const { body } = await post('/v1/sessions', { machineName: 'closing' });
    const { sessionId: done } = body as { sessionId: string };
    await post(`/v1/sessions/${done}/transitions`, { transitionName: 'pay', toState: 'paid' });
    expect(await post(`/v1/sessions/${done}/close`)).toMatchObject({ status: 409 });
  });

  it('an overdue task is told to Prometheus, among those that wait, until it is withdrawn', async () => {
    const series = async () => {
      const { text } = await server.get(`/metrics?minPosition=${await server.head()}`);
      const read = (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')[1],
        );
      return { open: read('redial_tasks{status="open"}'), overdue: read('redial_tasks_overdue') };
    };
    const before = await series();
    const { sessionId } = await begun('overdue', { people: { ...people, dueIn: 'PT1S' } });
    await post(`/v1/sessions/${sessionId}/run`);
    const { runId } = await untilClock();
    await untilEvent(server.log, ({ type, stream }) => type === 'TaskOverdue' && stream.endsWith(runId));
    expect(await series()).toEqual({ open: before.open + 1, overdue: before.overdue + 1 });
    await post(`/v1/sessions/${sessionId}/close`);
    expect(await series()).toEqual(before);
  });
});
