import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { official, type TestedClient } from './official-client.js';

const CONFLICT = { type: 'wrong-expected-version' };
const DELETED = { type: 'stream-deleted' };
const credentials = { username: 'admin', password: 'changeit' };

/** The server's rules, as its source has them, seen through the official client. */
describe.each([
  ['BatchAppend', {}],
  ['Append', { credentials }],
] as const)('the stand-in, appended to over %s', (_, over) => {
  let standIn: EventStoreDbStandIn;
  let client: TestedClient;

  beforeEach(async () => {
    standIn = await EventStoreDbStandIn.start();
    client = official.EventStoreDBClient.connectionString(standIn.connectionString());
  });
  afterEach(async () => {
    await client.dispose();
    standIn.kill();
  });

  const newEvent = () => official.jsonEvent({ id: randomUUID(), type: 'Happened', data: { n: 1 } });
  const append = (expectedRevision: 'any' | 'no_stream' | 'stream_exists' | bigint, events: unknown[]) =>
    client.appendToStream('s', events, { expectedRevision, ...over });
  const revisions = async (options: object = {}) => {
    const seen: number[] = [];
    for await (const { event } of client.readStream('s', options)) seen.push(Number(event?.revision));
    return seen;
  };

  it('knows a repeat at a revision that has passed, and answers as the first time', async () => {
    const [a, b, c] = [newEvent(), newEvent(), newEvent()];
    const first = await append('no_stream', [a, b]);
    const second = await append(1n, [c]);
    expect(await append('no_stream', [a, b])).toEqual(first);
    expect(await append(1n, [c])).toEqual(second);
    expect(await append('no_stream', [a])).toMatchObject({ nextExpectedRevision: 0n });
    await expect(append('no_stream', [a, c])).rejects.toMatchObject({ ...CONFLICT, actualVersion: 2n });
    await expect(append('no_stream', [b])).rejects.toMatchObject(CONFLICT);
    await expect(append(1n, [c, newEvent()])).rejects.toMatchObject(CONFLICT);
    await expect(append(7n, [newEvent()])).rejects.toMatchObject(CONFLICT);
    expect(await revisions()).toEqual([0, 1, 2]);
  });

  it.each(['any', 'stream_exists'] as const)('knows a repeat by its ids under %s', async (expected) => {
    const [a, b, c] = [newEvent(), newEvent(), newEvent()];
    const first = await append('no_stream', [a, b]);
    await append(expected, [c]);
    expect(await append(expected, [a, b])).toEqual(first);
    // All ids known, in any order, is a repeat; the last one gives the revision.
    expect(await append(expected, [b, a])).toMatchObject({ nextExpectedRevision: 0n });
    await expect(append(expected, [a, newEvent()])).rejects.toMatchObject(CONFLICT);
    expect(await append(expected, [newEvent(), a])).toMatchObject({ nextExpectedRevision: 4n });
  });

  it('forgets under any an id that another stream has taken since', async () => {
    const event = newEvent();
    await append('any', [event]);
    await client.appendToStream('other', [event], { expectedRevision: 'any', ...over });
    expect(await append('any', [event])).toMatchObject({ nextExpectedRevision: 1n });
  });

  it('says what is there when a stream is not as expected', async () => {
    await expect(append('stream_exists', [newEvent()])).rejects.toMatchObject({
      ...CONFLICT,
      actualVersion: 'no_stream',
      expectedVersion: 'stream_exists',
    });
    await append('no_stream', [newEvent()]);
    await expect(append('no_stream', [newEvent()])).rejects.toMatchObject({
      ...CONFLICT,
      streamName: 's',
      actualVersion: 0n,
      expectedVersion: 'no_stream',
    });
  });

  it('hides a soft-deleted stream, and continues its revisions when it is written again', async () => {
    await append('no_stream', [newEvent(), newEvent()]);
    await client.deleteStream('s', { expectedRevision: 'any' });
    await expect(revisions()).rejects.toMatchObject({ type: 'stream-not-found' });
    await expect(append('stream_exists', [newEvent()])).rejects.toMatchObject(DELETED);
    expect(await append('no_stream', [newEvent()])).toMatchObject({ nextExpectedRevision: 2n });
    expect(await revisions()).toEqual([2]);
    expect(await revisions({ direction: 'backwards', fromRevision: 'end' })).toEqual([2]);
  });

  it('soft-deletes no stream that never was', async () => {
    for (const expectedRevision of ['any', 'no_stream'] as const) {
      await expect(client.deleteStream('s', { expectedRevision })).rejects.toMatchObject(CONFLICT);
    }
    await client.appendToStream('$$s', [official.jsonEvent({ type: '$metadata', data: {} })], {
      expectedRevision: 'any',
    });
    await client.deleteStream('s', { expectedRevision: 'no_stream' });
  });

  it('closes a tombstoned stream for ever', async () => {
    await append('no_stream', [newEvent()]);
    await client.tombstoneStream('s', { expectedRevision: 0n });
    for (const expected of ['any', 'no_stream', 'stream_exists', 0n] as const) {
      await expect(append(expected, [newEvent()])).rejects.toMatchObject(DELETED);
    }
    await expect(revisions()).rejects.toMatchObject(DELETED);
  });

  it('takes no more than 1 MiB at a time', async () => {
    const large = official.jsonEvent({ type: 'Large', data: 'x'.repeat(1024 * 1024) });
    await expect(append('any', [large])).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1024 * 1024,
    });
  });

  it('keeps deletions over a restart', async () => {
    await append('no_stream', [newEvent()]);
    await client.deleteStream('s', { expectedRevision: 'any' });
    const { store, port } = standIn;
    standIn.kill();
    standIn = await EventStoreDbStandIn.start({ store, port });
    await client.dispose();
    client = official.EventStoreDBClient.connectionString(standIn.connectionString());
    await expect(append('stream_exists', [newEvent()])).rejects.toMatchObject(DELETED);
  });
});
