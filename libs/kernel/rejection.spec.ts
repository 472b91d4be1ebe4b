import { describe, expect, it } from '@jest/globals';
import { RedialError } from './redial-error.js';
import { firstProblem, isRejection, reject } from './rejection.js';

const text = { errorClass: 'TooLate', what: 'the round', why: 'it is over', fix: 'Use the next one' };

class OutOfOrder extends RedialError {}

describe('reject', () => {
  it('gives a value with kind, code and a message of the one form', () => {
    expect(reject('conflict', 'too-late', text)).toEqual({
      rejected: 'conflict',
      code: 'too-late',
      message: '[TooLate] the round: it is over. Use the next one.',
    });
  });

  it('carries the problems, when there are any', () => {
    const problems = [{ path: '/a', message: 'is missing' }];
    expect(reject('malformed', 'bad', text, problems).problems).toEqual(problems);
  });

  it('does not end a sentence twice', () => {
    const ended = { ...text, why: 'is it over?', fix: 'Stop!' };
    expect(reject('refused', 'x', ended).message).toBe('[TooLate] the round: is it over? Stop!');
  });

  it('is distinguished from events and other values', () => {
    expect(isRejection(reject('unknown', 'x', text))).toBe(true);
    expect([[], null, undefined, 'rejected', {}].some(isRejection)).toBe(false);
  });
});

describe('firstProblem', () => {
  it.each([
    [[{ path: '/a', message: 'is missing' }], undefined, '/a is missing'],
    [[{ path: '', message: 'is no object' }], undefined, '/ is no object'],
    [[{ path: '/a', message: 'is missing' }], 25, '/a is missing (and 24 more)'],
  ])('of %j is its place, its message and how many there are besides', (problems, count, text) => {
    expect(firstProblem(problems, count)).toBe(text);
  });
});

describe('RedialError', () => {
  it('names its own class, says what, why and how to fix it, and keeps its cause', () => {
    const cause = new Error('disk');
    const error = new OutOfOrder('the lift', 'it stands still', 'Walk', { cause });
    expect(error.message).toBe('[OutOfOrder] the lift: it stands still. Walk.');
    expect(error).toMatchObject({ name: 'OutOfOrder', cause });
    expect(error).toBeInstanceOf(RedialError);
  });
});
