import { expect, it } from '@jest/globals';
import { longWaitAskedBy, waitAskedBy } from './retries.js';

const AT = '2026-01-02T03:04:05.000Z';

it.each(['9999999999', '9'.repeat(400)])(
  '%s seconds are the longest wait that nine digits can say',
  (after) => {
    expect(longWaitAskedBy({ 'retry-after': after }, AT)).toEqual({ retryAfterMs: 999_999_999_000 });
    expect(longWaitAskedBy({ 'retry-after-ms': after }, AT)).toEqual({ retryAfterMs: 999_999_999 });
  },
);

it('zeros before an amount say nothing', () => {
  expect(longWaitAskedBy({ 'retry-after': '00000000007' }, AT)).toEqual({ retryAfterMs: 7_000 });
});

it.each(['7', '1.5', 'soon', 'Fri, 02 Jan 2026 03:04:35 GMT'])(
  '%s is as recorded replies are read',
  (after) => {
    const headers = { 'retry-after': after };
    expect(longWaitAskedBy(headers, AT)).toEqual(waitAskedBy(headers, AT));
  },
);

it('a recorded reply with more than nine digits replays as one that asks for no wait', () => {
  expect(waitAskedBy({ 'retry-after': '9999999999' }, AT)).toEqual({});
});
