import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText } from '#lib/kernel';
import { EventCodec, type NewEvent, UnstorableEvent } from './event-codec.js';
import { formatPosition } from './position.js';

type Metadata = NewEvent['metadata'];

const codec = new EventCodec([{ Said: { version: 1 } }]);
const metadata = { occurredAt: 'now', correlationId: 'c', causationId: 'c', commandId: 'c', actor: 'a' };
const STREAM_ID = '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';
const place = { stream: `redial_turn-${STREAM_ID}`, revision: 0, position: formatPosition('log', 1) };

/** The id that the codec leaves out, and another one. */
const id = fc.constantFrom(STREAM_ID, 'other');
const anyMetadata = fc.record(
  {
    occurredAt: fc.constant('now'),
    correlationId: id,
    causationId: id,
    commandId: id,
    actor: fc.constantFrom('redial', STREAM_ID, 'other'),
  },
  { requiredKeys: ['occurredAt', 'correlationId', 'actor'], noNullPrototype: true },
);

const hasCause = ({ commandId, causationId }: Metadata) =>
  commandId !== undefined || causationId !== undefined;
const encoded = (metadata: Metadata) =>
  codec.encode({ eventId: 'e', event: { type: 'Said', data: {} }, metadata }, place.stream);

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

  it('comes back with its metadata, also with members that follow from the name of its stream', () => {
    fc.assert(
      fc.property(anyMetadata.filter(hasCause), (metadata) => {
        expect(codec.decode({ ...encoded(metadata), ...place }).metadata).toEqual(metadata);
      }),
    );
  });

  it('is refused with neither a command nor a cause', () => {
    fc.assert(
      fc.property(anyMetadata, ({ commandId: _, causationId: __, ...metadata }) => {
        expect(() => encoded(metadata)).toThrow(UnstorableEvent);
      }),
    );
  });
});
