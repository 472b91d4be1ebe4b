import { expect, it } from '@jest/globals';
import { storedTime, timeFromStored } from './stored-time.js';

it('keeps a time to the millisecond', () => {
  expect(timeFromStored(storedTime('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T03:04:05.678Z');
});

it('refuses what is no time', () => {
  expect(() => storedTime('yesterday')).toThrow(/^\[InvalidTime\] time "yesterday"/);
});
