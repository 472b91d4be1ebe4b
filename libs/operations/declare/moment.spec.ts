import { describe, expect, it } from '@jest/globals';
import { isTime, statedMoment } from './moment.js';

describe('a moment', () => {
  it('is a revision, a time or a position', () => {
    expect(statedMoment('7')).toEqual({ revision: 7 });
    expect(statedMoment('position:log.8')).toEqual({ position: 'log.8' });
    expect(statedMoment('2026-02-28T23:30:00-01:00')).toEqual({ timeMs: Date.UTC(2026, 2, 1, 0, 30) });
    for (const text of ['', '-1', '1.5', 'now', '2026-02-30']) expect(statedMoment(text)).toBeUndefined();
  });

  it('is on a day that there is', () => {
    for (const day of ['2026-02-28', '2024-02-29', '2026-12-31']) {
      expect(isTime(day)).toBe(true);
      expect(isTime(`${day}T23:59:59.999999999+14:00`)).toBe(true);
    }
    for (const day of ['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00']) {
      expect(isTime(day)).toBe(false);
      expect(isTime(`${day}T00:00:00Z`)).toBe(false);
    }
  });
});
