import { describe, expect, it } from '@jest/globals';
import { WrittenPosition } from './written-position.js';

const at = (place: number) => `log.${String(place).padStart(3, '0')}`;

describe('WrittenPosition', () => {
  it('is nowhere before anything was written', () => {
    expect(new WrittenPosition().latest).toBeUndefined();
    expect(new WrittenPosition().latestOf(['Opened'])).toBeUndefined();
  });

  it('is the latest position, whichever order they become known in', () => {
    const written = new WrittenPosition();
    for (const place of [2, 10, 3]) written.note(at(place), [{ type: 'Opened' }]);
    written.note(undefined, [{ type: 'Opened' }]);
    expect([written.latest, written.latestOf(['Opened'])]).toEqual([at(10), at(10)]);
  });

  it('knows the last event of some types, even after other events', () => {
    const written = new WrittenPosition();
    written.note(at(1), [{ type: 'Opened' }, { type: 'Closed' }]);
    written.note(at(2), [{ type: 'Closed' }]);
    written.note(at(3), [{ type: 'Moved' }]);
    written.note(at(4));
    expect(written.latestOf(['Opened'])).toBe(at(1));
    expect(written.latestOf(['Opened', 'Closed'])).toBe(at(2));
    expect(written.latestOf(['Locked'])).toBeUndefined();
    expect(written.latest).toBe(at(4));
  });

  it('takes everything that was in the log before as of every type', () => {
    const written = new WrittenPosition();
    written.begin(at(5));
    expect([written.latest, written.latestOf(['Locked'])]).toEqual([undefined, at(5)]);
    written.note(at(6), [{ type: 'Opened' }]);
    expect([written.latestOf(['Locked']), written.latestOf(['Opened'])]).toEqual([at(5), at(6)]);
  });
});
