import { expect, it } from '@jest/globals';
import { taskLines } from './tasks.js';

const note = 'word '.repeat(100).trim();
const proposalId = '11111111-1111-4111-8111-111111111111';
const schema = {
  type: 'object',
  properties: { metaJson: { type: 'object', properties: { note: {}, urgent: {} }, required: ['note'] } },
};
const task: Parameters<typeof taskLines>[0] = {
  taskId: '22222222-2222-4222-8222-222222222222',
  version: 1,
  kind: 'decision',
  status: 'open',
  title: 'payments: asked',
  question: 'Pay it?',
  reason: 'needs-person',
  detail: 'a person decides it',
  about: { currentState: 'asked' },
  proposals: [
    {
      proposalId,
      specialistId: 'rule',
      transitionName: 'pay',
      toState: 'paid',
      metaJson: { note },
      reasoning: note,
    },
  ],
  choices: [{ choice: 'accept', transitionName: 'pay', toState: 'paid', proposalId, schema }],
  digest: '0'.repeat(64),
  candidates: { people: ['ann'], groups: ['buyers'] },
  excluded: [],
  approvals: {
    needed: 2,
    given: [
      { by: 'ann', at: '2026-01-01T00:00:00.000Z', choice: 'transition', transitionName: 'pay' },
      { by: 'bob', at: '2026-01-01T00:00:01.000Z', choice: 'transition', transitionName: 'drop' },
    ],
  },
  priority: 50,
  since: '2026-01-01T00:00:00.000Z',
  overdue: false,
  escalated: 0,
  comments: [{ by: 'eve', at: '2026-01-01T00:00:00.000Z', text: 'look\nhere' }],
  isFork: false,
};

it('a task shows each proposal whole, and each choice with the names of its arguments, on lines of their own', () => {
  const lines = taskLines(task, (_, text) => text);
  for (const line of [
    '  pay → paid, by rule',
    `    id         ${proposalId}`,
    `    arguments  {"note":"${note}"}`,
    `    reasoning  ${note}`,
    `  accept pay → paid of ${proposalId}: note, urgent (optional)`,
    '  by ann: pay',
    '  by bob: drop',
    '  the round needs 2 equal ones',
    '  2026-01-01T00:00:00.000Z  eve: look here',
  ])
    expect(lines).toContain(line);
});
