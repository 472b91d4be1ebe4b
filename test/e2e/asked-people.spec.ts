import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('people who are asked about a round', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await TaskDesk.start({}, PEOPLE);
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

  it('find the tasks of a machine that is named `me` by its name', async () => {
    const { taskId } = await waiting('me', { groups: ['buyers'], approvals: 2 });
    const { body } = await desk.get('ann', '/v1/tasks?machineName=me&candidate=me');
    expect(body).toMatchObject({ items: [{ taskId }] });
  });
});
