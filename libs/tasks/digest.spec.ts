import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { digestOf } from './digest.js';
import type { WaitingThing } from './task.family.js';

const waiting = {
  taskId: 'task-1',
  version: 2,
  choices: [
    { choice: 'accept', schema: { type: 'object', required: ['choice'] } },
    { choice: 'transition', schema: { const: 'ü' } },
  ],
} as object as WaitingThing;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const SCHEMAS = '"schemas":[{"required":["choice"],"type":"object"},{"const":"ü"}]';

it('the digest of a decision is of its wait, its proposals with their arguments, and the schemas of its choices', () => {
  const proposals = [
    { proposalId: 'p-1', transitionName: 'pay', metaJson: { no: 1, amount: 5 }, alignmentScore: 0.5 },
    { proposalId: 'p-2', transitionName: 'drop', reasoning: 'odd' },
  ];
  const shown =
    '"proposals":[{"arguments":{"amount":5,"no":1},"proposalId":"p-1","transitionName":"pay"},{"proposalId":"p-2","transitionName":"drop"}]';
  expect(digestOf({ ...waiting, proposals } as object as WaitingThing)).toBe(
    sha256(`{${shown},${SCHEMAS},"taskId":"task-1","version":2}`),
  );
});

it('the digest of an approval has the arguments of the call; members that are absent are left out', () => {
  expect(digestOf({ ...waiting, arguments: { b: [1], a: null } })).toBe(
    sha256(`{"arguments":{"a":null,"b":[1]},${SCHEMAS},"taskId":"task-1","version":2}`),
  );
  expect(digestOf(waiting)).toBe(sha256(`{${SCHEMAS},"taskId":"task-1","version":2}`));
});
