import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askPerson, child, defineWorkflow } from '#lib/workflow';
import { idInStream } from '#lib/event-store';
import { jsonText } from '#lib/kernel';
import { untilEvent } from '../support/until-event.js';
import { codes, TaskDesk } from '../support/task-desk.js';

const CREATOR = { exclude: ['creator'] };
const anything = { input: { type: 'object' } } as const;
const yes = { choice: 'answer', payload: true };
const pay = { choice: 'transition', transitionName: 'pay' };

/** Asks people for its result, but for those who have started or forked the run. */
const asking = defineWorkflow<object, unknown>('asking', {
  ...anything,
  versions: {
    1: function* () {
      const { payload } = yield* askPerson({ title: 'Buy?', schema: { type: 'boolean' }, ...CREATOR });
      return payload;
    },
  },
});
const above = defineWorkflow<object, unknown>('above', {
  ...anything,
  versions: {
    1: function* () {
      yield* askPerson({ title: 'Begin?', schema: { type: 'boolean' } });
      return yield* child('asking', {});
    },
  },
});
/** Proposes what people say. */
const proposing = defineWorkflow<object, unknown>('proposing', {
  ...anything,
  versions: {
    1: function* () {
      yield* askPerson({ title: 'Which?', schema: { type: 'boolean' }, ...CREATOR });
      return { exit: 'pay', summary: 'said so' };
    },
  },
});

const machine = (machineName: string, asked: object, specialists: readonly object[] = []) => ({
  machineName,
  initialState: 'asked',
  goalState: 'paid',
  states: { asked: { transitions: { pay: 'paid' }, ...asked }, paid: {} },
  specialists,
});

const PEOPLE = {
  ann: ['operator'],
  bob: ['operator'],
  cy: ['operator'],
  dan: ['reviewer', 'desk'],
  eve: ['reviewer', 'desk'],
} as const;

describe('where the creator is excluded, so are the people who forked', () => {
  let desk: TaskDesk;
  beforeAll(async () => {
    desk = await TaskDesk.start({ workflows: [asking, above, proposing] }, PEOPLE);
    const writer = { role: 'proposer', specialistId: 'writer', workflow: { name: 'proposing' } };
    for (const one of [
      machine('guarded', { people: { ...CREATOR, groups: ['desk'] } }),
      machine('open', { people: {} }),
      machine('written', {}, [writer]),
      machine('twofold', { people: { ...CREATOR, groups: ['desk'], approvals: 2 } }),
    ])
      expect(await desk.post('operator', '/v1/machines', one)).toMatchObject({ status: 201 });
  });
  afterAll(() => desk.stop());

  async function session(machineName: string): Promise<string> {
    const { body } = await desk.post('ann', '/v1/sessions', { machineName });
    await desk.post('ann', `/v1/sessions/${String(body['sessionId'])}/tick`);
    return String(body['sessionId']);
  }
  async function forkOf(kind: 'sessions' | 'runs', id: string, who: string, more: object = {}) {
    const { body: parent } = await desk.get('operator', `/v1/${kind}/${id}`);
    const sent = { atRevision: parent['revision'], effects: 'allow', ...more };
    const { status, body } = await desk.post(who, `/v1/${kind}/${id}/forks`, sent);
    expect([status, body]).toEqual([201, expect.anything()]);
    return String(body[kind === 'runs' ? 'runId' : 'sessionId']);
  }
  async function taskOf(filter: string) {
    const { body } = await desk.get('operator', `/v1/tasks?${filter}`);
    const [task, ...others] = body['items'] as { taskId: string; digest: string }[];
    expect(others).toEqual([]);
    return { taskId: '', digest: '', ...task };
  }
  async function listedFor(who: string, filter: string) {
    const { body } = await desk.get('operator', `/v1/tasks?candidate=${who}&${filter}`);
    return (body['items'] as object[]).length;
  }
  const replayed = async (path: string) =>
    expect((await desk.post('operator', `/v1/${path}/replay`)).body).toMatchObject({ identical: true });

  it('a fork of a session, and one of that fork, at every door and in every list', async () => {
    const first = await forkOf('sessions', await session('guarded'), 'bob');
    const sessionId = await forkOf('sessions', first, 'cy');
    const filter = `sessionId=${sessionId}`;
    const task = await taskOf(filter);
    expect(task).toMatchObject({ excluded: ['ann', 'bob', 'cy'] });
    const answer = { ...pay, digest: task.digest };
    for (const who of ['ann', 'bob', 'cy']) {
      expect(await listedFor(who, filter)).toBe(0);
      expect(
        await codes(
          desk.answer(who, task, answer),
          desk.post(who, `/v1/sessions/${sessionId}/arbitrations`, { transitionName: 'pay' }),
        ),
      ).toEqual([
        [403, 'excluded'],
        [403, 'excluded'],
      ]);
    }
    expect(await listedFor('dan', filter)).toBe(1);
    expect((await desk.answer('dan', task, answer)).status).toBe(200);
    await replayed(`sessions/${sessionId}`);
    const { body } = await desk.get('operator', `/v1/sessions/${sessionId}/events?limit=500`);
    const forks = (body['items'] as { type: string; schemaVersion: number; data: object }[]).filter(
      ({ type }) => type === 'SessionForked',
    );
    expect(forks).toMatchObject([
      {
        schemaVersion: 2,
        data: { by: 'bob' },
        summary: 'goes on as a fork by bob; effects: allow; its round begins again',
      },
      { schemaVersion: 2, data: { by: 'cy' }, summary: expect.stringContaining('by cy') },
    ]);
  });

  it('a fork whose own machine excludes the creator, which that of its parent does not', async () => {
    const overrides = { machine: machine('open', { people: CREATOR }) };
    const sessionId = await forkOf('sessions', await session('open'), 'bob', { overrides });
    expect(await taskOf(`sessionId=${sessionId}`)).toMatchObject({ excluded: ['ann', 'bob'] });
    expect(await listedFor('ann', `sessionId=${sessionId}`)).toBe(0);
  });

  it('a fork by an operator who is no person excludes whom its parent does', async () => {
    const sessionId = await forkOf('sessions', await session('guarded'), 'operator');
    expect(await taskOf(`sessionId=${sessionId}`)).toMatchObject({ excluded: ['ann'] });
  });

  it('a fork without a known creator, by an operator who is no person, is refused as a session is', async () => {
    const { body } = await desk.post('operator', '/v1/sessions', { machineName: 'open' });
    const { revision: atRevision, sessionId } = body;
    const overrides = { machine: machine('open', { people: CREATOR }) };
    const fork = desk.post('operator', `/v1/sessions/${String(sessionId)}/forks`, { atRevision, overrides });
    expect(await codes(fork)).toEqual([[422, 'creator-unknown']]);
  });

  it('approvals that were given before a session was forked do not count in the fork', async () => {
    const parent = await session('twofold');
    const { taskId, digest } = await taskOf(`sessionId=${parent}`);
    expect((await desk.answer('dan', { taskId }, { ...pay, digest })).status).toBe(200);
    const sessionId = await forkOf('sessions', parent, 'bob', { overrides: { metaJson: { amount: 1_000 } } });
    const filter = `sessionId=${sessionId}`;
    const task = await taskOf(filter);
    expect(task).toMatchObject({ approvals: { needed: 2, given: [] } });
    expect(await listedFor('dan', filter)).toBe(1);
    const answer = { ...pay, digest: task.digest };
    expect((await desk.answer('eve', task, answer)).body).toMatchObject({
      session: { status: 'needs_human' },
    });
    expect(
      (await desk.answer('dan', await taskOf(filter), { ...answer, digest: (await taskOf(filter)).digest }))
        .body,
    ).toMatchObject({
      session: { status: 'done' },
    });
    await replayed(`sessions/${sessionId}`);
  });

  it('a fork of a run, and one of that fork', async () => {
    const first = await forkOf('runs', await desk.started('asking', {}, 'ann'), 'bob');
    const runId = await forkOf('runs', first, 'cy');
    const task = await taskOf(`runId=${runId}`);
    expect(task).toMatchObject({ excluded: ['ann', 'bob', 'cy'] });
    const sent = { payload: true };
    for (const who of ['ann', 'bob', 'cy']) {
      expect([who, await listedFor(who, `runId=${runId}`)]).toEqual([who, 0]);
      expect(
        await codes(desk.answer(who, task, yes), desk.post(who, `/v1/runs/${runId}/signals/answer`, sent)),
      ).toEqual([
        [403, 'excluded'],
        [403, 'excluded'],
      ]);
    }
    expect((await desk.answer('dan', task, yes)).status).toBe(200);
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed', result: true });
    await replayed(`runs/${runId}`);
  });

  it('the runs below a fork of a run', async () => {
    const runId = await forkOf('runs', await desk.started('above', {}, 'ann'), 'bob');
    expect((await desk.answer('cy', await taskOf(`runId=${runId}`), yes)).status).toBe(200);
    const { stream } = await untilEvent(
      desk.server.log,
      ({ type, data }) => type === 'WorkflowStarted' && jsonText(data).includes(runId),
    );
    const filter = `runId=${idInStream(stream)}`;
    await untilEvent(desk.server.log, (event) => event.type === 'SignalAwaited' && event.stream === stream);
    const task = await taskOf(filter);
    expect(task).toMatchObject({ excluded: ['ann', 'bob'] });
    expect(await codes(desk.answer('bob', task, yes))).toEqual([[403, 'excluded']]);
    expect(await listedFor('bob', filter)).toBe(0);
    expect((await desk.answer('dan', task, yes)).status).toBe(200);
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed' });
    await replayed(`runs/${runId}`);
  });

  it('the runs that a fork of a session asks for', async () => {
    const sessionId = await forkOf('sessions', await session('written'), 'bob');
    const task = await taskOf(`sessionId=${sessionId}`);
    expect(task).toMatchObject({ title: 'Which?', excluded: ['ann', 'bob'] });
    expect(await codes(desk.answer('bob', task, yes))).toEqual([[403, 'excluded']]);
    expect(await listedFor('bob', `sessionId=${sessionId}`)).toBe(0);
    expect((await desk.answer('dan', task, yes)).status).toBe(200);
    await replayed(`sessions/${sessionId}`);
  });
});
