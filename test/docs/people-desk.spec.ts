import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { codes, type DeskTask, TaskDesk } from '../support/task-desk.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/people.md'), 'utf8');
const [, section = ''] = page.split('## A desk of three people and two models');
const [, machine = ''] = /```json\n([^`]+)```/.exec(section) ?? [];

let desk: TaskDesk;
beforeAll(async () => {
  const people = { ann: ['reviewer', 'buyers'], bob: ['reviewer', 'buyers'], cy: ['operator'] } as const;
  desk = await TaskDesk.start({}, people, { script: () => toolCall('pay', { amount: 1_200 }) });
});
afterAll(() => desk.stop());

it('the desk of docs/people.md runs as it is told there', async () => {
  const defined = await desk.post('cy', '/v1/machines', JSON.parse(machine) as object);
  expect(defined).toMatchObject({ status: 201 });
  const created = await desk.post('cy', '/v1/sessions', { machineName: 'desk', metaJson: { invoice: 7 } });
  const { sessionId } = created.body as { sessionId: string };
  expect((await desk.post('cy', `/v1/sessions/${sessionId}/run`)).body).toMatchObject({
    status: 'needs_human',
  });
  const tasksOf = async (who: string) =>
    (await desk.get(who, '/v1/tasks?candidate=me')).body['items'] as DeskTask[];
  const [task] = await tasksOf('ann');
  expect(await tasksOf('cy')).toEqual([]);
  expect(task).toMatchObject({
    reason: 'needs-person',
    question: 'Pay the invoice?',
    about: { metaJson: { invoice: 7 } },
    proposals: [
      { specialistId: 'fast', metaJson: { amount: 1_200 } },
      { specialistId: 'careful', metaJson: { amount: 1_200 } },
    ],
    excluded: ['cy'],
  });
  if (!task) return;
  const counts = async (who: string) => (await desk.get(who, '/v1/tasks/counts')).body;
  expect(await counts('bob')).toMatchObject({ open: 1, claimed: 0, mine: 0, claimable: 1 });
  expect((await desk.post('ann', `/v1/tasks/${task.taskId}/claim`)).status).toBe(200);
  expect(await counts('bob')).toMatchObject({ open: 0, claimed: 1, mine: 0, claimable: 0 });
  expect(await counts('ann')).toMatchObject({ claimed: 1, mine: 1 });
  const [first] = task['proposals'] as { proposalId: string }[];
  const body = { choice: 'accept', digest: task.digest, proposalId: first?.proposalId };
  expect(await codes(desk.answer('bob', task, body), desk.answer('cy', task, body))).toEqual([
    [409, 'claimed'],
    [403, 'excluded'],
  ]);
  const answered = await desk.answer('ann', task, { ...body, metaJson: { amount: 900 } });
  expect(answered).toMatchObject({
    status: 200,
    body: {
      task: { answer: { by: 'ann', edited: true, metaJson: { amount: 900 } } },
      session: { status: 'done', currentState: 'paid', history: [{ decidedBy: 'ann', isHuman: true }] },
    },
  });
});
