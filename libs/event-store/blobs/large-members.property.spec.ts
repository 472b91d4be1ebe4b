import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText } from '#lib/kernel';
import { LARGEST_APPEND } from '../append-size.js';
import { AppendTooLarge } from '../errors.js';
import { EventLog } from '../event-log.js';
import { InMemoryEventStore } from '../in-memory-event-store.js';
import { StreamNames } from '../stream-names.js';
import { codec, said } from '../testing/large-events.js';

/** Up to 500,000 characters: escaped ones, ones of several bytes, surrogate pairs. */
const largeText = fc
  .tuple(
    fc.constantFrom('x', '"', 'ż', '\u2028', '👩', '\u0007', '\ud83d'),
    fc.integer({ min: 1, max: 500_000 }),
  )
  .map(([letter, length]) => letter.repeat(Math.ceil(length / letter.length)));

const large = fc.oneof(
  largeText,
  fc.array(largeText, { maxLength: 2 }),
  fc.dictionary(fc.string(), largeText, { maxKeys: 2 }),
);

const members = fc.array(
  fc.tuple(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a/b', '~', '')),
    fc.oneof(large, fc.jsonValue()),
  ),
  { maxLength: 5 },
);

describe('any events', () => {
  it('come back equal, members in their order, or are refused whole', async () => {
    const property = fc.asyncProperty(members, members, fc.option(large), async (one, other, command) => {
      const store = new InMemoryEventStore();
      const log = new EventLog(store, codec, new StreamNames());
      const events = [said(Object.fromEntries(one), { command }), said(Object.fromEntries(other))];
      const refused = await log.append('s', 'any', events).then(
        () => false,
        (error: unknown) => error instanceof AppendTooLarge || Promise.reject(error),
      );
      const read = await log.readStream('s');
      // Compared as texts: Jest takes long to report a difference between such large values.
      const texts = read.map(({ data, metadata }) => jsonText([data, metadata]));
      const given = events.map(({ event, metadata }) => jsonText([event.data, metadata]));
      expect(texts.map((text, n) => text === given[n])).toEqual(refused ? [] : [true, true]);
      const bytes = (await store.readStream('s')).map(({ data, metadata }) =>
        Buffer.byteLength(data + metadata),
      );
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST_APPEND);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});
