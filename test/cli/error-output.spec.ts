import { describe, expect, it } from '@jest/globals';
import { RejectionError } from '#lib/operations';
import { reject, type RejectionKind } from '#lib/kernel';
import { failureOf } from '../../apps/cli/src/error-output.js';

const text = { errorClass: 'Refused', what: 'it', why: 'no', fix: 'Do otherwise' };

describe('failureOf', () => {
  it.each<[RejectionKind, number]>([
    ['malformed', 2],
    ['forbidden', 2],
    ['refused', 2],
    ['unknown', 4],
    ['conflict', 1],
  ])('gives a rejection of kind %s the exit code %d', async (kind, exitCode) => {
    const failure = await failureOf(new RejectionError(reject(kind, 'code', text, [])));
    expect(failure).toEqual({ exitCode, lines: ['[Refused] it: no. Do otherwise.'] });
  });

  it('lists the problems of a rejection', async () => {
    const problems = [
      { path: '', message: 'is odd' },
      { path: '/a', message: 'is even' },
    ];
    const { lines } = await failureOf(new RejectionError(reject('malformed', 'code', text, problems)));
    expect(lines).toEqual(['[Refused] it: no. Do otherwise.', '  (root) is odd', '  /a is even']);
  });

  it.each<[string, unknown, string]>([
    [
      'a bug',
      new TypeError('x is not\na function'),
      '[TypeError] redial failed unexpectedly: x is not a function. ',
    ],
    ['what is no error', 'boom', '[Error] redial failed unexpectedly: boom. '],
    ['nothing', undefined, '[Error] redial failed unexpectedly: undefined. '],
  ])('tells of %s in one line, without a stack trace', async (_, error, words) => {
    const { exitCode, lines } = await failureOf(error);
    expect([exitCode, lines]).toEqual([1, [expect.stringContaining(words)]]);
  });
});
