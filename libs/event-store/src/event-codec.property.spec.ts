import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText } from '#lib/kernel';
import { EventCodec } from './event-codec.js';
import { formatPosition } from './position.js';

const codec = new EventCodec([{ Said: { version: 1 } }]);
const metadata = { occurredAt: 'now', correlationId: 'c', causationId: 'c', commandId: 'c', actor: 'a' };
const place = { stream: 's', revision: 0, position: formatPosition('log', 1) };

describe('any event', () => {
  it('comes back from its text equal, in the same order, and gives the same text again', () => {
    const data = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(data, (data) => {
        const encoded = codec.encode({ eventId: 'e', event: { type: 'Said', data }, metadata }, place.stream);
        const decoded = codec.decode({ ...encoded, ...place });
        expect(jsonText(decoded.data)).toBe(jsonText(data));
        expect(codec.encode({ eventId: 'e', event: decoded, metadata }, place.stream)).toEqual(encoded);
      }),
    );
  });
});
