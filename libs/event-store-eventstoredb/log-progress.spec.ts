import { describe, expect, it } from '@jest/globals';
import { LogProgress } from './log-progress.js';

const MIB = 1_048_576n;

describe('LogProgress', () => {
  it('skips exactly the parts that were read', () => {
    const progress = new LogProgress(10n);
    expect([progress.skip(0n), progress.skip(10n), progress.skip(99n)]).toEqual([10n, 10n, 99n]);
    progress.saw(50n);
    progress.passed(10n, 50n + 4n * MIB);
    expect(progress.lastGap).toEqual({ after: 50n, upTo: 50n + 4n * MIB });
    expect([progress.skip(20n), progress.skip(50n)]).toEqual([20n, 50n + 4n * MIB]);
    progress.saw(50n + 5n * MIB);
    expect(progress.skip(50n)).toBe(50n + 4n * MIB);
    expect(progress.skip(50n + 4n * MIB)).toBe(50n + 4n * MIB);
    expect([progress.head, progress.scanned]).toEqual([50n + 5n * MIB, 50n + 5n * MIB]);
  });

  it('does not count a look that began beyond what is known', () => {
    const progress = new LogProgress(10n);
    progress.passed(20n, 90n);
    expect(progress.scanned).toBe(10n);
    progress.passed(10n, 30n);
    progress.passed(20n, 90n);
    expect(progress.scanned).toBe(90n);
  });

  it('leaves the head where it is for events that come before it', () => {
    const progress = new LogProgress(10n);
    progress.saw(50n);
    progress.saw(40n);
    progress.passed(10n, 45n);
    expect([progress.head, progress.scanned]).toEqual([50n, 50n]);
  });

  it('continues from the notes of other processes', () => {
    const gaps = [
      { after: 10n, upTo: 10n + 2n * MIB },
      { after: 10n + 3n * MIB, upTo: 10n + 9n * MIB },
      { after: 10n + 3n * MIB, upTo: 10n + 12n * MIB },
    ];
    const progress = new LogProgress(10n, gaps);
    expect([progress.head, progress.scanned]).toEqual([10n + 3n * MIB, 10n + 12n * MIB]);
    expect(progress.skip(10n)).toBe(10n + 2n * MIB);
    expect(progress.skip(10n + 3n * MIB)).toBe(10n + 12n * MIB);
  });
});
