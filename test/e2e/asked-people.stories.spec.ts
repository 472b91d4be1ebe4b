import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Redial } from '#lib/engine';
import { systemTime } from '#lib/workflow';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { type DeskTask, TaskDesk } from '../support/task-desk.js';

const PEOPLE = {
  ann: ['reviewer', 'buyers'],
  bob: ['reviewer', 'buyers'],
  eve: ['reviewer'],
  olga: ['operator'],
} as const;
const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
const machine = {
  initialState: 'asked',
  goalState: 'paid',
  people: { groups: ['buyers'] },
  states: {
    asked: { transitions: { pay: { target: 'paid', parameters: amount }, drop: 'dropped' } },
    paid: {},
    dropped: {},
  },
  specialists: [{ role: 'proposer', specialistId: 'rule', strategyFnName: 'firstAvailable' }],
};

interface Proposed extends DeskTask {
  readonly proposals: readonly { readonly proposalId: string }[];
}

describeOnEachEngine('people who are asked about a round', (emptyPlace) => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await TaskDesk.start({}, PEOPLE, { place: await emptyPlace() });
  });
  afterAll(() => desk.stop());

  /** The task of a round that waits, with a proposal of `pay`. */
  async function waiting(machineName: string, people: object = machine.people): Promise<Proposed> {
    const made = await desk.post('operator', '/v1/machines', { ...machine, machineName, people });
    expect([200, 201]).toContain(made.status);
    const { body } = await desk.post('operator', '/v1/sessions', { machineName });
    const path = `/v1/sessions/${String(body['sessionId'])}`;
    const stated = { specialistId: 'rule', transitionName: 'pay', metaJson: { amount: 5 } };
    await desk.post('operator', `${path}/proposals`, stated);
    await desk.post('operator', `${path}/run`);
    const tasks = await desk.get('operator', `/v1/tasks?sessionId=${String(body['sessionId'])}`);
    const [task] = tasks.body['items'] as Proposed[];
    if (!task) throw new Error('no task');
    return task;
  }
  const accepting = ({ digest, proposals: [first] }: Proposed) => ({
    choice: 'accept',
    digest,
    proposalId: first?.proposalId,
  });

  it('are told what a choice lacks, with a pointer', async () => {
    const task = await waiting('plain', { groups: ['buyers'], approvals: 2 });
    const missing = (path: string) => ({
      status: 422,
      body: { code: 'invalid-arguments', errors: [{ path, message: 'is missing' }] },
    });
    const { proposalId: _, ...accept } = accepting(task);
    expect(await desk.answer('ann', task, accept)).toMatchObject(missing('/proposalId'));
    const transition = { choice: 'transition', digest: task.digest };
    expect(await desk.answer('ann', task, transition)).toMatchObject(missing('/transitionName'));
  });

  it('and give one of several approvals keep no claim by it, and no claim once they may not answer', async () => {
    const task = await waiting('shared', { groups: ['buyers'], approvals: 2 });
    const at = (act: string) => `/v1/tasks/${task.taskId}${act}`;
    const statusOf = async () => {
      const { body } = await desk.get('bob', at(''));
      const listed = async (status: string) => {
        const found = await desk.get('bob', `/v1/tasks?machineName=shared&status=${status}`);
        return (found.body['items'] as object[]).length;
      };
      return [body['status'], await listed('open'), await listed('claimed')];
    };
    expect(await desk.post('ann', at('/claim'))).toMatchObject({ status: 200 });
    expect(await statusOf()).toEqual(['claimed', 0, 1]);
    expect(await desk.answer('ann', task, accepting(task))).toMatchObject({
      status: 200,
      body: { task: { status: 'open' } },
    });
    expect(await statusOf()).toEqual(['open', 1, 0]);
    // To change her choice.
    expect(await desk.post('ann', at('/claim'))).toMatchObject({ body: { claimedBy: 'ann' } });
    expect(await statusOf()).toEqual(['claimed', 0, 1]);
    const redial = desk.server.app.get(Redial);
    await redial.replacePersonGroups({ personId: 'ann', groups: ['sellers'] });
    expect(await statusOf()).toEqual(['open', 1, 0]);
    await redial.replacePersonGroups({ personId: 'ann', groups: ['buyers'] });
    expect(await statusOf()).toEqual(['claimed', 0, 1]);
    await desk.post('operator', at('/assign'), { personId: 'ann' });
    expect(await statusOf()).toEqual(['claimed', 0, 1]);
    await desk.post('operator', at('/assign'), { personId: null });
    await desk.post('operator', at('/release'));
    expect(await desk.answer('bob', task, accepting(task))).toMatchObject({
      body: { task: { status: 'answered' } },
    });
  });

  it('and give one of several approvals keep no claim by it, also if the clock was set back since the claim', async () => {
    const now = jest.spyOn(systemTime, 'now');
    const task = await waiting('back', { groups: ['buyers'], approvals: 2 });
    now.mockImplementation(() => new Date(Date.now() + 3_600_000));
    await desk.post('ann', `/v1/tasks/${task.taskId}/claim`);
    now.mockRestore();
    expect(await desk.answer('ann', task, accepting(task))).toMatchObject({
      body: { task: { status: 'open', approvals: { given: [{ by: 'ann' }] } } },
    });
    expect(await desk.answer('bob', task, accepting(task))).toMatchObject({
      status: 200,
      body: { task: { status: 'answered' } },
    });
  });

  it('find the tasks of a machine that is named `me` by its name', async () => {
    const { taskId } = await waiting('me', { groups: ['buyers'], approvals: 2 });
    const { body } = await desk.get('ann', '/v1/tasks?machineName=me&candidate=me');
    expect(body).toMatchObject({ items: [{ taskId }] });
  });
});
