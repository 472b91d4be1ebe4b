import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { askPerson, defineWorkflow } from '#lib/workflow';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { type DeskTask, TaskDesk } from '../support/task-desk.js';

const ann = { personId: 'ann', role: 'reviewer', groups: ['buyers'] };
const people = { groups: ['buyers'] };
const machine = {
  machineName: 'orders',
  initialState: 'asked',
  goalState: 'paid',
  people,
  states: { asked: { transitions: { pay: 'paid' } }, paid: {} },
};
const asking = defineWorkflow('asking', {
  input: { type: 'object' },
  versions: {
    1: function* () {
      return yield* askPerson({ title: 'Buy?', schema: {}, ...people });
    },
  },
});

describeOnEachEngine('a person who is deleted and registered again', (emptyPlace) => {
  let desk: TaskDesk;

  beforeAll(async () => {
    const all = { ann: [ann.role, ...ann.groups], bob: [ann.role, ...ann.groups] } as const;
    desk = await TaskDesk.start({ workflows: [asking] }, all, { place: await emptyPlace() });
    await desk.post('operator', '/v1/machines', machine);
  });
  afterAll(() => desk.stop());

  async function taskOfRound(): Promise<DeskTask> {
    const { body } = await desk.post('operator', '/v1/sessions', { machineName: 'orders' });
    const sessionId = String(body['sessionId']);
    await desk.post('operator', `/v1/sessions/${sessionId}/tick`);
    const listed = await desk.get('operator', `/v1/tasks?sessionId=${sessionId}`);
    const [task] = listed.body['items'] as DeskTask[];
    if (!task) throw new Error('no task');
    return task;
  }
  const taskOfRun = async () => desk.taskOf(await desk.started('asking', {}));
  /** The row of a task for analysts. */
  async function exported({ taskId }: DeskTask): Promise<object> {
    const lines = (await desk.text('bob', '/v1/exports/tasks?format=jsonl')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { taskId: string });
    return rows.find((row) => row.taskId === taskId) ?? {};
  }
  async function again(): Promise<void> {
    await desk.delete('/v1/people/ann');
    await desk.register(ann);
  }

  it.each([
    ['a session', taskOfRound],
    ['a run', taskOfRun],
  ])(
    'has no claim and no assignment of a task of %s from before, and can get both anew',
    async (_, waiting) => {
      const [claimed, assigned] = [await waiting(), await waiting()];
      const at = ({ taskId }: DeskTask, act = '') => `/v1/tasks/${taskId}${act}`;
      const mine = async () => (await desk.get('ann', '/v1/tasks/counts')).body['mine'];
      const listed = async (filter: string) => {
        const { body } = await desk.get('bob', `/v1/tasks?${filter}`);
        return (body['items'] as DeskTask[]).map(({ taskId }) => taskId);
      };
      expect(await desk.post('ann', at(claimed, '/claim'))).toMatchObject({ status: 200 });
      await desk.post('operator', at(assigned, '/assign'), { personId: 'ann' });
      expect(await mine()).toBe(2);
      expect(await exported(assigned)).toMatchObject({ assignee: 'ann' });

      await again();
      expect(await mine()).toBe(0);
      expect(await exported(assigned)).toMatchObject({ assignee: null });
      expect(await listed('claimedBy=ann')).toEqual([]);
      expect(await listed('assignee=ann')).toEqual([]);
      expect(await listed('candidate=bob')).toEqual(
        expect.arrayContaining([claimed.taskId, assigned.taskId]),
      );
      expect((await desk.get('bob', at(claimed))).body).toMatchObject({ status: 'open' });
      expect((await desk.get('bob', at(assigned))).body).not.toHaveProperty('assignee');
      expect(await desk.post('bob', at(claimed, '/release'))).toMatchObject({ status: 200 });

      expect((await desk.post('ann', at(claimed, '/claim'))).body).toMatchObject({ claimedBy: 'ann' });
      expect(await desk.post('bob', at(claimed, '/claim'))).toMatchObject({ status: 409 });
      await desk.post('operator', at(assigned, '/assign'), { personId: 'ann' });
      expect(await mine()).toBe(2);
      expect(await desk.post('bob', at(assigned, '/claim'))).toMatchObject({ status: 403 });

      await again();
      expect((await desk.post('bob', at(claimed, '/claim'))).body).toMatchObject({ claimedBy: 'bob' });
      expect((await desk.post('bob', at(assigned, '/claim'))).body).toMatchObject({ claimedBy: 'bob' });
      for (const task of [claimed, assigned]) await desk.post('bob', at(task, '/release'));
    },
  );
});
