import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { isDeciding, isRepeated, type PeopleWait, peopleWait, withChoice } from './people-wait.rules.js';

const people = { approvals: 2 };

function waitFor(signal: string, prompt: Json): PeopleWait {
  const wait = peopleWait({ stepId: 'one', signal, prompt, people });
  if (!wait) throw new Error('no wait for people');
  return wait;
}
const choice = (by: string, payload: Json) => ({ by, payload });

describe('a question to two people', () => {
  const question = waitFor('answer', { title: 'Is it approved?' });

  it('is not ended by one answer, whatever members it has', () => {
    expect(isDeciding(question, choice('ann', { approved: false }))).toBe(false);
    const asked = withChoice(question, choice('ann', { approved: false }));
    expect(isDeciding(asked, choice('bob', { approved: true }))).toBe(false);
    expect(isDeciding(asked, choice('bob', { approved: false }))).toBe(true);
  });

  it('is answered alike by answers that are equal in every member', () => {
    const asked = withChoice(question, choice('ann', { approved: true, reason: 'cheap', by: 'post' }));
    expect(isDeciding(asked, choice('bob', { approved: true, reason: 'green', by: 'post' }))).toBe(false);
    expect(isDeciding(asked, choice('bob', { approved: true, reason: 'cheap', by: 'train' }))).toBe(false);
    expect(isDeciding(asked, choice('bob', { approved: true, reason: 'cheap', by: 'post' }))).toBe(true);
    expect(isRepeated(asked, choice('ann', { approved: true, by: 'post' }))).toBe(false);
  });
});

describe('a call of a tool that two people approve', () => {
  const call = waitFor('approval', { arguments: { amount: 5 } });

  it('is rejected by one', () => {
    expect(isDeciding(call, choice('ann', { approved: false }))).toBe(true);
  });

  it('is approved alike whatever the reason, and by the shown arguments as by none', () => {
    const asked = withChoice(call, choice('ann', { approved: true, reason: 'cheap' }));
    expect(isDeciding(asked, choice('bob', { approved: true, arguments: { amount: 5 } }))).toBe(true);
    expect(isDeciding(asked, choice('bob', { approved: true, arguments: { amount: 6 } }))).toBe(false);
    expect(isRepeated(asked, choice('ann', { approved: true, reason: 'green' }))).toBe(true);
  });
});
