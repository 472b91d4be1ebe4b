import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatPosition } from '../position.js';
import type { StoredEvent } from '../event-store.js';
import { HeldPage } from './held-page.js';

function stored(revision: number, bytes: number): StoredEvent {
  const position = formatPosition('log', revision + 1);
  const text = { data: 'x'.repeat(bytes), metadata: '' };
  return { eventId: String(revision), type: 'T', stream: 's', revision, position, ...text };
}

it('0.2-S3: a reader holds an event and at most 256 KiB more, whatever the sizes of the events are, and gets each of them', () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constant(200_000), fc.constant(900_000)),
    {
      maxLength: 80,
    },
  );
  fc.assert(
    fc.property(sizes, (all) => {
      const events = all.map((bytes, revision) => stored(revision, bytes));
      const held = new HeldPage(64);
      const seen: StoredEvent[] = [];
      while (seen.length < events.length) {
        expect(held.limit).toBeGreaterThanOrEqual(1);
        const page = held.of(events.slice(seen.length, seen.length + held.limit));
        const [first, ...more] = page;
        expect(first).toBeDefined();
        expect(more.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThanOrEqual(256 * 1024);
        seen.push(...page);
      }
      expect(seen).toEqual(events);
    }),
    { numRuns: 50 },
  );
});
