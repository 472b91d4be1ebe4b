import { describe, expect, it } from '@jest/globals';
import { Failures } from './failures.js';

describe('the failures of a taker of events', () => {
  it('are reported once each, and again after it went well; the pause grows while nothing comes of it', () => {
    const reported: string[] = [];
    const failures = new Failures(({ message }) => void reported.push(message));
    const away = new Error('away');
    expect([away, away, away, away].map((error) => failures.add(error))).toEqual([250, 500, 1000, 1000]);
    expect(failures.last).toEqual({ message: 'away' });
    expect(failures.refusal).toBeUndefined();
    failures.wentWell();
    expect(failures.last).toBeUndefined();
    expect([away, new Error('full')].map((error) => failures.add(error))).toEqual([250, 500]);
    expect(reported).toEqual(['away', 'away', 'full']);
  });
});
