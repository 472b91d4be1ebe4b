import { expect, it } from '@jest/globals';
import { changesOf } from './changed.rules.js';
import { digestOf } from './digest.js';
import type { WaitingThing } from './task.family.js';

const proposal = (proposalId: string) => ({ proposalId, transitionName: 'pay' });
const accept = (proposalId: string) => ({ choice: 'accept', proposalId, schema: { const: proposalId } });
/** A round that waits with these proposals. */
const round = (version: number, ...ids: readonly string[]) =>
  ({
    taskId: 'task-1',
    version,
    proposals: ids.map(proposal),
    choices: [...ids.map(accept), { choice: 'transition', schema: {} }],
  }) as object as WaitingThing;
const said = (waiting: WaitingThing) => ({ choice: 'accept', digest: digestOf(waiting) });

it('names the digest of what waits, and the proposals that came since it was shown', () => {
  const now = round(1, 'a', 'b', 'c');
  expect(changesOf(now, said(round(1, 'a')))).toEqual({
    digest: digestOf(now),
    changed: { proposals: [proposal('b'), proposal('c')] },
  });
});

it('names the wait, if it is another one', () => {
  const now = round(3, 'a', 'b');
  expect(changesOf(now, said(round(2, 'a', 'b'))).changed).toEqual({ version: 3 });
  expect(changesOf(now, said(round(1, 'a'))).changed).toEqual({ version: 3, proposals: [proposal('b')] });
  expect(changesOf(now, { choice: 'accept', version: 2 }).changed).toEqual({ version: 3 });
});

it('names nothing if what was shown waits, and everything if it never did', () => {
  const now = round(1, 'a');
  expect(changesOf(now, said(now)).changed).toEqual({});
  expect(changesOf(now, { choice: 'accept', digest: 'none' }).changed).toEqual({
    version: 1,
    proposals: [proposal('a')],
  });
  const call = { taskId: 'task-2', version: 1, arguments: { amount: 5 }, choices: [] } as object;
  expect(changesOf(call as WaitingThing, { choice: 'approve', digest: 'none' }).changed).toEqual({
    version: 1,
    arguments: { amount: 5 },
  });
});
