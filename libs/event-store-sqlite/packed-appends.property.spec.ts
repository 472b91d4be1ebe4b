import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { packAppends, unpackAppends } from './packed-appends.mjs';

const event = fc.record({
  eventId: fc.uuid(),
  type: fc.string(),
  data: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.nat(0xd7ff)).map((codes) => String.fromCharCode(...codes)),
  ),
  metadata: fc.string(),
});
const append = fc.record({
  stream: fc.string(),
  expected: fc.oneof(
    fc.nat(),
    fc.constantFrom('no-stream' as const, 'stream-exists' as const, 'any' as const),
  ),
  events: fc.array(event, { minLength: 1, maxLength: 4 }),
});
const request = fc.array(append, { maxLength: 3 });

describe('packed appends', () => {
  it('come out as they went in, also through a message between threads', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 6 }), (requests) => {
        expect(unpackAppends(structuredClone(packAppends(requests)))).toEqual(requests);
      }),
    );
  });
});
