import { describe, expect, it } from '@jest/globals';
import { messageOf } from './message-of.js';

describe('messageOf', () => {
  it('gives the words of an error, and its code when they do not hold it', () => {
    expect(messageOf(new TypeError('no luck'))).toBe('no luck');
    expect(messageOf(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))).toBe(
      'aborted (ECONNRESET)',
    );
    expect(messageOf(Object.assign(new Error('connect EPIPE'), { code: 'EPIPE' }))).toBe('connect EPIPE');
  });

  it('gives the reasons of an error that only collects them', () => {
    const reasons = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect ECONNREFUSED 127.0.0.1:1')];
    expect(messageOf(new AggregateError(reasons))).toBe(
      'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it('has words for anything that code throws', () => {
    const wordless: unknown = Object.create(null);
    const unreadable = (thrown: unknown) =>
      Object.defineProperty(new Error('x'), 'message', {
        get() {
          throw thrown;
        },
      });
    const own = (message: unknown) => Object.assign(new Error('x'), { message, code: 'E_OWN' });
    const loop = Object.assign(new Error(''), { errors: [] as unknown[] });
    loop.errors.push(loop, loop);
    const thrown = [
      null,
      undefined,
      Symbol('s'),
      wordless,
      own(undefined),
      own(7),
      own({}),
      own(wordless),
      loop,
    ];
    const none = 'Something that has no words was thrown.';
    expect([...thrown, unreadable(new Error('y')), unreadable(wordless)].map(messageOf)).toEqual([
      'null',
      'undefined',
      'Symbol(s)',
      none,
      'undefined (E_OWN)',
      '7 (E_OWN)',
      '[object Object] (E_OWN)',
      `${none} (E_OWN)`,
      '; ',
      none,
      none,
    ]);
  });
});
