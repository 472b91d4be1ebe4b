import { describe, expect, it } from '@jest/globals';
import type { Event, JsonObject } from '#lib/kernel';
import { EventCodec, UndecodableEvent, UnstorableEvent } from './event-codec.js';
import { InvalidEventCatalogue } from './event-definitions.js';
import type { StoredEvent } from './event-store.js';
import { formatPosition } from './position.js';

const metadata = {
  occurredAt: '2026-01-02T03:04:05.678Z',
  correlationId: 'session',
  causationId: 'cause',
  commandId: 'command',
  actor: 'operator',
};
const place = { stream: 's', revision: 3, position: formatPosition('log', 7) };

function stored(over: Partial<StoredEvent> = {}): StoredEvent {
  const text = JSON.stringify(metadata);
  return { eventId: 'e', type: 'Renamed', data: '{"name":"x"}', metadata: text, ...place, ...over };
}
function storedAs(schemaVersion: unknown): StoredEvent {
  return stored({ metadata: JSON.stringify({ ...metadata, schemaVersion }) });
}

const first = (data: JsonObject) => ({ name: data['title'] });
const second = (data: JsonObject) => ({ names: [data['name'] ?? null] });

describe('EventCodec', () => {
  const codec = new EventCodec([{ Renamed: { version: 1 } }, { Moved: { version: 1 } }]);

  it('gives back what it was given, with its place and the newest version', () => {
    const event: Event = { type: 'Renamed', data: { b: 1, a: { deep: ['é', null] } } };
    const encoded = codec.encode({ eventId: 'e', event, metadata }, place.stream);
    const decoded = codec.decode({ ...encoded, ...place });
    expect(decoded).toEqual({
      ...event,
      ...place,
      eventId: 'e',
      schemaVersion: 1,
      occurredAt: metadata.occurredAt,
      metadata,
    });
    expect(JSON.stringify(decoded.data)).toBe(JSON.stringify(event.data));
  });

  it.each([
    ['NaN', { deep: [{ n: Number.NaN }] }, '/data/deep/0/n'],
    ['an infinity', { n: -Infinity }, '/data/n'],
    ['a function', { call: () => 1 }, '/data/call'],
    ['a symbol', { s: Symbol('s') }, '/data/s'],
    ['a bigint', { big: 1n }, '/data/big'],
    ['undefined in a list', { list: [1, undefined] }, '/data/list/1'],
  ])('X-T10: refuses data with %s, which would not come back', (_, data, pointer) => {
    const event = { type: 'Renamed', data };
    const encode = () => codec.encode({ eventId: 'e', event, metadata }, place.stream);
    expect(encode).toThrow(UnstorableEvent);
    expect(encode).toThrow(`at ${pointer} has no JSON text`);
  });

  it('refuses data of more than 950 levels, which SQLite could take for damaged', () => {
    const nested = (levels: number) =>
      JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
    const encode = (levels: number) =>
      codec.encode(
        { eventId: 'e', event: { type: 'Renamed', data: nested(levels) }, metadata },
        place.stream,
      );
    expect(encode(950).data).toHaveLength(950 * 6 + 1);
    expect(() => encode(951)).toThrow('its data is nested more than 950 levels deep');
  });

  it('gives back lone surrogates and -0 as 0, and leaves out members that are undefined', () => {
    const event = { type: 'Renamed', data: { half: '\ud800', zero: -0, none: undefined } };
    const encoded = codec.encode({ eventId: 'e', event, metadata }, place.stream);
    expect(codec.decode({ ...encoded, ...place }).data).toEqual({ half: '\ud800', zero: 0 });
  });

  it('writes data and metadata as JSON text, a version after the first before all else', () => {
    const event = { type: 'Moved', data: { to: 'b' } };
    const encoded = codec.encode({ eventId: 'e', event, metadata }, place.stream);
    expect(encoded).toEqual({
      eventId: 'e',
      type: 'Moved',
      data: '{"to":"b"}',
      metadata: JSON.stringify(metadata),
    });
    const newer = new EventCodec([{ Moved: { version: 2, upcasters: { 1: first } } }]);
    const { metadata: text } = newer.encode({ eventId: 'e', event, metadata }, place.stream);
    expect(text).toBe(JSON.stringify({ schemaVersion: 2, ...metadata }));
  });

  it('leaves out ids that are the id of the stream, and the engine as the actor', () => {
    const event = { type: 'Moved', data: {} };
    const own = { ...metadata, correlationId: 'own-id', actor: 'redial' };
    const stream = 'redial_session-own-id';
    const encoded = codec.encode({ eventId: 'e', event, metadata: own }, stream);
    const { occurredAt, causationId, commandId } = metadata;
    expect(JSON.parse(encoded.metadata)).toEqual({ occurredAt, causationId, commandId });
    expect(codec.decode({ ...encoded, ...place, stream }).metadata).toEqual(own);
    expect(codec.metadataOf({ ...encoded, ...place, stream })).toEqual(own);
    const ofRun = { occurredAt, correlationId: 'session', causationId: 'own-id', actor: 'redial' };
    const caused = codec.encode({ eventId: 'e', event, metadata: ofRun }, stream);
    expect(JSON.parse(caused.metadata)).toEqual({ occurredAt, correlationId: 'session' });
    expect(codec.metadataOf({ ...caused, ...place, stream })).toEqual(ofRun);
  });

  it('knows the types of all catalogues', () => {
    expect(codec.types).toEqual(['Renamed', 'Moved']);
  });

  it('upcasts data of older versions step by step', () => {
    const upcasting = new EventCodec([{ Renamed: { version: 3, upcasters: { 1: first, 2: second } } }]);
    const v1 = stored({ data: '{"title":"x"}' });
    expect(upcasting.decode(v1)).toMatchObject({ data: { names: ['x'] }, schemaVersion: 3 });
    expect(upcasting.decode(storedAs(2)).data).toEqual({ names: ['x'] });
    expect(upcasting.decode(storedAs(3)).data).toEqual({ name: 'x' });
  });

  it('cannot read a type, a version or a text that it does not know', () => {
    const unreadable = [
      stored({ type: 'Vanished' }),
      stored({ type: 'constructor' }),
      stored({ data: 'null' }),
      stored({ data: '{' }),
      stored({ metadata: '[]' }),
      ...[2, 0, -1, 1.5, '1', null].map(storedAs),
    ];
    for (const event of unreadable) expect(() => codec.decode(event)).toThrow(UndecodableEvent);
  });

  it('cannot read data that an upcaster stumbles over', () => {
    const stumbling = (data: JsonObject) => ({ name: (data['title'] as string).trim() });
    const upcasting = new EventCodec([{ Renamed: { version: 2, upcasters: { 1: stumbling } } }]);
    expect(() => upcasting.decode(stored({ data: '{}' }))).toThrow(UndecodableEvent);
  });

  it('says which event it cannot read, and why', () => {
    expect(() => codec.decode(stored({ type: 'Vanished' }))).toThrow(
      /^\[UnknownEvent\] event Vanished at s revision 3 cannot be read: its type is not known here\. /,
    );
  });

  it('refuses to write an undeclared type', () => {
    const undeclared = { eventId: 'e', event: { type: 'Vanished', data: {} }, metadata };
    expect(() => codec.encode(undeclared, place.stream)).toThrow(InvalidEventCatalogue);
  });
});

describe('an event catalogue', () => {
  it('is refused at start when a type is declared twice', () => {
    const one = { Renamed: { version: 1 } };
    expect(() => new EventCodec([one, one])).toThrow(/^\[InvalidEventCatalogue\] .* declared twice/);
  });

  it.each([
    ['none for version 2', { version: 2 }],
    ['a gap', { version: 3, upcasters: { 2: second } }],
    ['one too many', { version: 1, upcasters: { 1: first } }],
    ['one from version 0', { version: 2, upcasters: { 0: first, 1: first } }],
  ])('is refused at start when its chain of upcasters has %s', (_, definition) => {
    expect(() => new EventCodec([{ Renamed: definition }])).toThrow(InvalidEventCatalogue);
  });

  it.each([0, -1, 1.5, Number.NaN])(
    'is refused at start with a version that is not counted: %d',
    (version) => {
      expect(() => new EventCodec([{ Renamed: { version } }])).toThrow(InvalidEventCatalogue);
    },
  );
});
