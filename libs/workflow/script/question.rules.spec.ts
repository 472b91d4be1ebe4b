import { expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { checkedQuestion } from './question.rules.js';

const asked = (over: object) => checkedQuestion({ title: 'Buy?', schema: {}, ...over });
const cycle: { question?: unknown } = {};
cycle.question = cycle;
const yes: JsonObject = { type: 'object', properties: { yes: { type: 'boolean' } } };

it.each<readonly [path: string, over: object]>([
  ['/title', { title: undefined }],
  ['/title', { title: 5 }],
  ['', { title: 5n }],
  ['', cycle],
  ['/schema', { schema: undefined }],
  ['/schema', { schema: 'x' }],
  ['/schema/type', { schema: { type: 'bolean' } }],
  ['/people', { people: null }],
  ['/exclude', { exclude: 5 }],
  ['/exclude', { exclude: ['proposers'] }],
  ['/priority', { priority: Number.NaN }],
  ['/extra', { extra: 1 }],
  ['/dueIn', { dueIn: 5 }],
  ['/remindBefore', { remindBefore: ['PT1M'] }],
  ['/escalations/0', { escalations: [null] }],
  ['/onExpiry', { expireIn: 'PT1M', onExpiry: null }],
  ['/onExpiry/payload', { expireIn: 'PT1M', onExpiry: { payload: undefined } }],
  ['/onExpiry/payload/yes', { schema: yes, expireIn: 'PT1M', onExpiry: { payload: { yes: 3 } } }],
])('a question with a bad value has a problem at it, whatever the value is: %s of %o', (path, over) => {
  expect(asked(over)).toMatchObject({ problem: { path } });
});

it('a member that is undefined is absent, and the question is what its event will hold', () => {
  const question = {
    title: 'Buy?',
    schema: {},
    expireIn: 'PT1M',
    onExpiry: { payload: '2026-01-02T03:04:05.000Z' },
  };
  const given = {
    people: undefined,
    expireIn: 'PT1M',
    onExpiry: { payload: new Date(question.onExpiry.payload) },
  };
  expect(asked(given)).toEqual({ question });
});
