import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idInStream } from '#lib/event-store';
import { jsonText } from '#lib/kernel';
import { askPerson, child, defineWorkflow, signal } from '#lib/workflow';
import { PEOPLE, codes, TaskDesk } from '../support/task-desk.js';
import { untilEvent } from '../support/until-event.js';

const yesNo = {
  type: 'object',
  properties: { yes: { type: 'boolean' } },
  required: ['yes'],
  additionalProperties: false,
};
const anything = { input: { type: 'object' } } as const;

/** Asks the people of its input. */
const asking = defineWorkflow<object, unknown>('asking', {
  ...anything,
  versions: {
    1: function* ({ input }) {
      return yield* askPerson({ title: 'Buy?', question: 'The green one?', schema: yesNo, ...input });
    },
  },
});
/** Waits for a signal of people and for one of programs. */
const signals = defineWorkflow<object, unknown>('signals', {
  ...anything,
  versions: {
    1: function* () {
      yield* signal('arrived');
      return yield* signal('checked', { prompt: { note: 'Look' }, schema: yesNo });
    },
  },
});
/** Waits for a signal with a name that clocks use. */
const moving = defineWorkflow<object, unknown>('moving', {
  ...anything,
  versions: {
    1: function* () {
      return yield* signal('DueMoved');
    },
  },
});
const above = defineWorkflow<object, unknown>('above', {
  ...anything,
  versions: {
    1: function* ({ input }) {
      return yield* child('asking', { ...input });
    },
  },
});

const answered = (yes: unknown) => ({ choice: 'answer', payload: { yes } });

describe('tasks of runs', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await TaskDesk.start({ workflows: [asking, signals, moving, above] }, PEOPLE);
  });
  afterAll(() => desk.stop());

  it('a question of a script is answered by its candidates alone, with what its schema wants', async () => {
    const runId = await desk.started('asking', { groups: ['buyers'], exclude: ['bob'], priority: 7 });
    const task = await desk.taskOf(runId);
    expect(task).toMatchObject({
      kind: 'answer',
      title: 'Buy?',
      question: 'The green one?',
      about: { runId, workflow: 'asking', signal: 'answer' },
      choices: [{ choice: 'answer' }],
      candidates: { people: [], groups: ['buyers'] },
      excluded: ['bob'],
      priority: 7,
    });
    const sent = { payload: { yes: true } };
    expect(
      await codes(
        desk.answer('cy', task, answered(true)),
        desk.answer('bob', task, answered(true)),
        desk.answer('vic', task, answered(true)),
        desk.answer('operator', task, answered(true)),
        desk.answer('olga', task, answered(true)),
        desk.post('cy', `/v1/runs/${runId}/signals/answer`, sent),
        desk.post('operator', `/v1/runs/${runId}/signals/answer`, sent),
        desk.answer('ann', task, answered('perhaps')),
      ),
    ).toEqual([
      [403, 'not-a-candidate'],
      [403, 'excluded'],
      [403, 'role'],
      [403, 'not-a-person'],
      [403, 'not-a-candidate'],
      [403, 'not-a-candidate'],
      [403, 'not-a-person'],
      [422, 'invalid-arguments'],
    ]);
    const { body } = await desk.answer('ann', task, { ...answered(true), reason: 'cheap' });
    expect(body).toMatchObject({ task: { answer: { by: 'ann', payload: { yes: true }, reason: 'cheap' } } });
    expect(await desk.ended(runId)).toMatchObject({ result: { payload: { yes: true }, by: 'ann' } });
    const events = await desk.get('cy', `/v1/tasks/${task.taskId}/events`);
    const kept = (events.body['items'] as { data: { by: string; code: string } }[]).map(({ data }) => ({
      by: data.by,
      code: data.code,
    }));
    // Once for each person and code, whichever door they tried.
    expect(kept).toEqual(
      expect.arrayContaining([
        { by: 'cy', code: 'not-a-candidate' },
        { by: 'bob', code: 'excluded' },
        { by: 'operator', code: 'not-a-person' },
        { by: 'olga', code: 'not-a-candidate' },
      ]),
    );
    expect(kept).toHaveLength(4);
  });

  it('a claim and an assignment hold at the signal, too', async () => {
    const runId = await desk.started('asking', {});
    const task = await desk.taskOf(runId);
    const path = `/v1/tasks/${task.taskId}`;
    const sent = { payload: { yes: true } };
    const signalBy = (who: string) => desk.post(who, `/v1/runs/${runId}/signals/answer`, sent);
    expect(await codes(desk.post('operator', `${path}/claim`, {}))).toEqual([[403, 'not-a-person']]);
    expect((await desk.post('ann', `${path}/claim`, {})).body).toMatchObject({ claimedBy: 'ann' });
    expect(
      await codes(signalBy('bob'), signalBy('operator'), desk.answer('bob', task, answered(true))),
    ).toEqual([
      [409, 'claimed'],
      [409, 'claimed'],
      [409, 'claimed'],
    ]);
    expect((await desk.post('operator', `${path}/assign`, { personId: 'cy' })).status).toBe(200);
    expect(await codes(signalBy('ann'), signalBy('operator'))).toEqual([
      [403, 'not-a-candidate'],
      [403, 'not-a-person'],
    ]);
    expect((await signalBy('cy')).status).toBe(200);
    expect(await codes(desk.post('cy', `${path}/comments`, { text: 'late' }))).toEqual([[409, 'task-ended']]);
  });

  it('a task that has ended is claimed by nobody: no list of what a person has claimed has it', async () => {
    const runId = await desk.started('asking', {});
    const task = await desk.taskOf(runId);
    await desk.post('ann', `/v1/tasks/${task.taskId}/claim`, {});
    const held = async () =>
      (await desk.get('ann', `/v1/tasks?claimedBy=me&status=all&runId=${runId}`)).body['items'];
    expect(await held()).toMatchObject([{ status: 'claimed', claimedBy: 'ann' }]);
    expect((await desk.answer('ann', task, answered(true))).status).toBe(200);
    expect(await held()).toEqual([]);
  });

  it('a signal with the name of the move of a clock is a signal like others in any other workflow', async () => {
    const runId = await desk.started('moving', {});
    const { body } = await desk.get('operator', `/v1/runs?workflow=moving&status=waiting`);
    expect(body).toMatchObject({ items: [{ runId, awaiting: [{ signal: 'DueMoved' }] }] });
    await desk.post('operator', `/v1/runs/${runId}/signals/DueMoved`, { payload: 1 });
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed', result: { payload: 1 } });
  });

  it('the reason of an answer is recorded without secrets, as its payload is', async () => {
    const runId = await desk.started('asking', {});
    const reason = 'the token is secret-of-the-operator';
    await desk.answer('ann', await desk.taskOf(runId), { ...answered(true), reason });
    const { body } = await desk.get('operator', `/v1/runs/${runId}/events`);
    expect(jsonText(body)).toContain('the token is ');
    expect(jsonText(body)).not.toContain('secret-of-the-operator');
  });

  it('a signal with a prompt is for people, and one without is for programs', async () => {
    const runId = await desk.started('signals', {});
    const none = await desk.get('cy', `/v1/tasks?runId=${runId}`);
    expect(none.body).toMatchObject({ items: [] });
    await desk.post('operator', `/v1/runs/${runId}/signals/arrived`, { payload: null });
    await desk.ended(runId);
    const task = await desk.taskOf(runId);
    expect(task).toMatchObject({ kind: 'answer', prompt: { note: 'Look' }, about: { signal: 'checked' } });
    expect((await desk.answer('operator', task, answered(true))).body).toMatchObject({
      task: { answer: { by: 'operator' } },
    });
  });

  it('a child that waits knows who is behind it, and a question that excludes an unknown creator fails', async () => {
    const input = { exclude: ['creator'] };
    const { body: begun } = await desk.post('olga', '/v1/runs', { workflow: 'above', input });
    const runId = begun['runId'] as string;
    const asked = await untilEvent(desk.server.log, ({ type, stream, data }) => {
      return type === 'SignalAwaited' && stream.includes('asking-') && jsonText(data).includes('creator');
    });
    const task = await desk.taskOf(idInStream(asked.stream));
    expect(task).toMatchObject({ excluded: ['olga'] });
    expect(await codes(desk.answer('olga', task, answered(true)))).toEqual([[403, 'excluded']]);
    expect((await desk.answer('cy', task, answered(false))).status).toBe(200);
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed' });
    const unknown = await desk.post('operator', '/v1/runs', {
      workflow: 'asking',
      input: { exclude: ['creator'] },
      waitMs: 10_000,
    });
    expect(unknown.body).toMatchObject({ status: 'failed', failure: { kind: 'creator-unknown' } });
  });

  it('of a run that is cancelled are withdrawn', async () => {
    const runId = await desk.started('asking', {});
    const task = await desk.taskOf(runId);
    await desk.post('operator', `/v1/runs/${runId}/cancel`, {});
    expect(await codes(desk.answer('cy', task, answered(true)))).toEqual([[410, 'withdrawn']]);
    await desk.ended(runId);
    expect((await desk.get('cy', `/v1/tasks?runId=${runId}`)).body).toMatchObject({ items: [] });
  });

  it('a repeated key gets the first answer, and writes nothing', async () => {
    const runId = await desk.started('asking', {});
    const task = await desk.taskOf(runId);
    const key = { 'Idempotency-Key': 'once' };
    const first = await desk.answer('cy', task, answered(true), key);
    await desk.ended(runId);
    const before = (await desk.get('operator', `/v1/runs/${runId}`)).body['revision'];
    expect(await desk.answer('cy', task, answered(true), key)).toEqual(first);
    expect((await desk.get('operator', `/v1/runs/${runId}`)).body['revision']).toBe(before);
    expect(await codes(desk.answer('cy', task, answered(false), key))).toEqual([
      [422, 'idempotency-key-reused'],
    ]);
  });

  it('a refusal is judged anew under its key, also with another body', async () => {
    const task = await desk.taskOf(await desk.started('asking', { groups: ['buyers'] }));
    const key = { 'Idempotency-Key': 'corrected' };
    for (const yes of [true, false, 'perhaps'])
      expect(await codes(desk.answer('cy', task, answered(yes), key))).toEqual([[403, 'not-a-candidate']]);
    await desk.post('operator', `/v1/tasks/${task.taskId}/assign`, { personId: 'cy' });
    expect(await codes(desk.answer('cy', task, answered(false), key))).toEqual([[200, undefined]]);
  });

  it('the claim of a task that has ended is over: its release is no error and no event', async () => {
    const task = await desk.taskOf(await desk.started('asking', { groups: ['buyers'] }));
    const path = `/v1/tasks/${task.taskId}`;
    expect((await desk.post('ann', `${path}/claim`)).status).toBe(200);
    expect((await desk.answer('ann', task, answered(true))).status).toBe(200);
    const before = await desk.get('bob', `${path}/events`);
    for (const who of ['bob', 'ann', 'olga'])
      expect(await desk.post(who, `${path}/release`)).toMatchObject({
        status: 200,
        body: { status: 'answered' },
      });
    expect(await desk.get('bob', `${path}/events`)).toEqual(before);
  });
});
