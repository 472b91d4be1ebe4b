import { describe, expect, it } from '@jest/globals';
import { hookPauseMs } from './hook-schedule.js';

const HOURS = [5 / 3_600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24];
const FIRST = '00000000-0000-5000-8000-000000000000';
const LAST = 'ffffffff-ffff-5fff-bfff-ffffffffffff';

describe('a delivery of a hook', () => {
  it('is made ten times, with the pauses of Standard Webhooks and at most a tenth more, and is parked then', () => {
    const hours = (id: string) => HOURS.map((_, index) => (hookPauseMs(index + 1, id) ?? 0) / 3_600_000);
    const to = (wanted: readonly number[]) => wanted.map((one) => expect.closeTo(one, 5));
    expect(hours(FIRST)).toEqual(to(HOURS));
    expect(hours(LAST)).toEqual(to(HOURS.map((one) => one * 1.1)));
    expect([FIRST, LAST].map((id) => hookPauseMs(10, id))).toEqual([undefined, undefined]);
  });
});
