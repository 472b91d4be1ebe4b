import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { official, type TestedClient } from './official-client.js';

type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint;

const REFUSED = /BadRequest|has no/;
const CONFLICT = { type: 'wrong-expected-version' };
const credentials = { username: 'admin', password: 'changeit' };
/** Long enough for a conflict to be told, and its stream to be read, before the winner can be. */
const INDEX_LAG_MS = 300;

/** Appends as a server of version 24.6 was observed to take them, through the official client. */
describe.each([
  ['BatchAppend', {}],
  ['Append', { credentials }],
] as const)('the stand-in, appended to over %s,', (_, over) => {
  let standIn: EventStoreDbStandIn;
  let client: TestedClient;
  const start = async (options: object) => {
    standIn = await EventStoreDbStandIn.start(options);
    client = official.EventStoreDBClient.connectionString(standIn.connectionString());
  };
  beforeEach(() => start({}));
  afterEach(async () => {
    await client.dispose();
    standIn.kill();
  });
  const restart = async (options: object) => {
    await client.dispose();
    standIn.kill();
    await start(options);
  };

  const newEvent = (event: object = {}) =>
    official.jsonEvent({ id: randomUUID(), type: 'Happened', data: { n: 1 }, ...event });
  const append = (expectedRevision: Expected, events: readonly unknown[], stream = 's') =>
    client.appendToStream(stream, events, { expectedRevision, ...over });
  async function revisions(): Promise<readonly number[]> {
    const seen: number[] = [];
    for await (const { event } of client.readStream('s')) seen.push(Number(event?.revision));
    return seen;
  }

  it('drops an append while the same one is under way, and answers with a time-out', async () => {
    await restart({ indexLagMs: 50, writeTimeoutMs: 100 });
    const event = newEvent();
    const both = await Promise.allSettled([0, 1].map(() => append('no_stream', [event])));
    const stored = both.filter(({ status }) => status === 'fulfilled');
    const dropped = both.filter(({ status }) => status === 'rejected');
    expect(stored).toMatchObject([{ value: { nextExpectedRevision: 0n } }]);
    expect(dropped).toMatchObject([{ reason: { type: expect.stringMatching(/timeout|deadline-exceeded/) } }]);
    expect(await append('no_stream', [event])).toMatchObject({ nextExpectedRevision: 0n });
  });

  it('tells a conflict before its winner can be read', async () => {
    await restart({ indexLagMs: INDEX_LAG_MS });
    // The first appends of a client may overtake each other.
    await append('any', [newEvent()], 'another');
    const winner = append('no_stream', [newEvent()]);
    await expect(append('no_stream', [newEvent()])).rejects.toMatchObject({ ...CONFLICT, actualVersion: 0n });
    await expect(revisions()).rejects.toMatchObject({ type: 'stream-not-found' });
    await winner;
    expect(await revisions()).toEqual([0]);
  });

  it('counts the data of all events towards the limit, and neither metadata nor names', async () => {
    await restart({ maxAppendSize: 1_000 });
    const sized = (size: number, metadata = {}) =>
      newEvent({ type: 'T'.repeat(500), data: 'x'.repeat(size - 2), metadata });
    await append('any', [sized(500), sized(500, { text: 'y'.repeat(5_000) })], 's'.repeat(500));
    await expect(append('any', [sized(500), sized(501)])).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1_000,
    });
  });

  it('refuses an event without a type, and a stream without a name', async () => {
    await expect(append('any', [newEvent({ type: '' })])).rejects.toThrow(REFUSED);
    await expect(append('any', [newEvent()], '')).rejects.toThrow(REFUSED);
    expect(await append('any', [newEvent()])).toMatchObject({ nextExpectedRevision: 0n });
  });

  it('takes an append without events, which changes nothing', async () => {
    await append('no_stream', []);
    await append('any', [newEvent()]);
    expect(await append('any', [])).toMatchObject({ nextExpectedRevision: 0n });
    expect(await revisions()).toEqual([0]);
  });

  it('stores an id that one append has twice both times, and knows it by the first one', async () => {
    const event = newEvent();
    expect(await append('any', [event, event])).toMatchObject({ nextExpectedRevision: 1n });
    expect(await append('stream_exists', [event])).toMatchObject({ nextExpectedRevision: 0n });
    expect(await append('no_stream', [event, event])).toMatchObject({ nextExpectedRevision: 1n });
    expect(await revisions()).toEqual([0, 1]);
  });

  it('gives the repeat of an append to a stream that was soft-deleted since no position', async () => {
    const event = newEvent();
    await append('no_stream', [event]);
    await client.deleteStream('s', { expectedRevision: 'any' });
    const repeated = await append('no_stream', [event]);
    expect(repeated.nextExpectedRevision).toBe(0n);
    expect(repeated.position).toBeUndefined();
    await expect(revisions()).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('names -1 as the revision of a stream that never was when it is to be deleted', async () => {
    const deletion = client.deleteStream('s', { expectedRevision: 'any' });
    await expect(deletion).rejects.toMatchObject({ ...CONFLICT, actualVersion: -1n });
  });
});
