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
});
