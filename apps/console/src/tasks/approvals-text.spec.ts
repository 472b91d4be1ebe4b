import { expect, it } from '@jest/globals';
import { approvalsText } from './approvals-text.js';

const of = (...transitions: readonly string[]) =>
  transitions.map((transitionName, index) => ({
    by: ['ann', 'bob', 'cy'][index] ?? '',
    at: '2026-01-01T00:00:00.000Z',
    choice: 'transition',
    transitionName,
  }));

it.each([
  [of(), '0 of 2'],
  [of('pay'), '1 of 2 (by ann: pay)'],
  [of('pay', 'drop'), '1 of 2 (by ann: pay, by bob: drop)'],
  [of('pay', 'pay'), 'given by ann: pay, by bob: pay; the round needs 2 equal ones'],
  [of('pay', 'drop', 'pay'), 'given by ann: pay, by bob: drop, by cy: pay; the round needs 2 equal ones'],
])(
  'approvals say who chose what, and count equal ones only where no arguments can differ: %#',
  (given, text) => {
    expect(approvalsText({ needed: 2, given })).toBe(text);
  },
);
