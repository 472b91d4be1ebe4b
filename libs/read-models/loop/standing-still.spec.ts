import { describe, expect, it } from '@jest/globals';
import { formatPosition } from '#lib/event-store';
import { LOST_KEY, Still } from './standing-still.js';
import { failuresOf } from './still-rows.js';

const MOST = 1000;

function eventOf(stream: string, n: number) {
  const position = formatPosition('00000000-0000-4000-8000-000000000000', n);
  return { stream, position, revision: 0, eventId: `e${n}`, type: 'Made', data: '{}', metadata: '{}' };
}

function stillOf(streams: number, because?: string): Still {
  const still = new Still();
  for (let n = 0; n < streams; n += 1) still.add(eventOf(`s-${n}`, n), new Error('no key'), because);
  return still;
}

describe('the streams that stand still', () => {
  it('are at most 1,000 for other reasons than a lost key', () => {
    const still = stillOf(MOST);
    expect(() => still.add(eventOf('s-more', MOST), new Error('bad'))).toThrow(
      /^\[TooManyStandStill\] the rows of 1001 streams stand still: an event of s-more cannot be taken: bad\. Look for damage/,
    );
  });

  it('may be many that lack a key, or need a document of one, also after a restart', () => {
    const lost = stillOf(MOST, LOST_KEY);
    for (let n = 0; n < MOST; n += 1) lost.add(eventOf(`t-${n}`, MOST + n), new Error('needs'), `s-${n}`);
    const restarted = new Still();
    restarted.replace(lost.all.toReversed());
    for (const still of [lost, restarted]) {
      for (let n = 0; n < MOST; n += 1) still.add(eventOf(`u-${n}`, 2 * MOST + n), new Error('bad'));
      expect(still.count).toBe(3 * MOST);
      expect(() => still.add(eventOf('u-more', 3 * MOST), new Error('bad'))).toThrow('TooManyStandStill');
    }
  });

  it('do not count when their page is undone', () => {
    const still = stillOf(MOST, LOST_KEY);
    still.undone();
    for (let n = 0; n < MOST; n += 1) still.add(eventOf(`s-${n}`, n), new Error('bad'));
    expect(() => still.add(eventOf('s-more', MOST), new Error('bad'))).toThrow('TooManyStandStill');
  });

  it('are reported one by one, and those of a page that lack a key together', () => {
    const still = stillOf(3, LOST_KEY);
    still.add(eventOf('t-0', 3), new Error('bad'));
    expect(failuresOf(still.added).map(({ message }) => message)).toEqual([
      'A stream stands still before event Made at t-0 revision 0: bad',
      '3 streams stand still, the first before event Made at s-0 revision 0: no key',
    ]);
  });
});
