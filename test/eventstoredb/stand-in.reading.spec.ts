import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { official, type TestedClient } from './official-client.js';

describe('the stand-in, read by the official client', () => {
  let standIn: EventStoreDbStandIn;
  let client: TestedClient;

  beforeEach(async () => {
    standIn = await EventStoreDbStandIn.start();
    client = official.EventStoreDBClient.connectionString(standIn.connectionString());
    const written = (type: string, n: number) => official.jsonEvent({ type, data: { n } });
    for (let n = 0; n < 4; n += 1) await append('one', [written('Odd', 2 * n), written('Even', 2 * n + 1)]);
    await append('two', [
      official.binaryEvent({ type: 'Odd', data: Uint8Array.of(0, 255), metadata: Uint8Array.of(1, 128) }),
    ]);
  });
  afterEach(async () => {
    await client.dispose();
    standIn.kill();
  });

  const append = (stream: string, events: unknown[]) =>
    client.appendToStream(stream, events, { expectedRevision: 'any' });

  async function types(events: AsyncIterable<{ readonly event?: { readonly type: string } }>, most = 99) {
    const seen: string[] = [];
    for await (const { event } of events) {
      seen.push(event?.type ?? '');
      if (seen.length === most) break;
    }
    return seen;
  }

  it('gives bytes back as they came, and the time of writing', async () => {
    for await (const { event } of client.readStream('two')) {
      expect(event).toMatchObject({ isJson: false, data: Buffer.of(0, 255), metadata: Buffer.of(1, 128) });
      expect(Math.abs(Date.now() - Number(event?.created))).toBeLessThan(60_000);
    }
  });

  it('reads the log in both directions, from a place inclusively forwards and exclusively backwards', async () => {
    const { position: from } = await append('three', [official.jsonEvent({ type: 'Third', data: {} })]);
    await append('three', [official.jsonEvent({ type: 'Fourth', data: {} })]);
    expect(await types(client.readAll({ fromPosition: from }))).toEqual(['Third', 'Fourth']);
    const backwards = { direction: 'backwards', fromPosition: from, maxCount: 2 };
    expect(await types(client.readAll(backwards))).toEqual(['Odd', 'Even']);
  });

  it.each([
    [official.streamNameFilter({ prefixes: ['tw', 'x'] }), ['Odd']],
    [official.streamNameFilter({ regex: '^t' }), ['Odd']],
    [official.eventTypeFilter({ prefixes: ['Ev'] }), ['Even', 'Even', 'Even', 'Even']],
    [official.eventTypeFilter({ regex: '^E.*n$' }), ['Even', 'Even', 'Even', 'Even']],
  ])('filters what a subscription gets', async (filter, expected) => {
    expect(await types(client.subscribeToAll({ filter }), expected.length)).toEqual(expected);
  });

  it('tells a filtered subscription how far it has looked', async () => {
    const checkpoints: bigint[] = [];
    const checkpointReached = async (_: unknown, { commit }: { commit: bigint }) =>
      void checkpoints.push(commit);
    const filter = official.streamNameFilter({ prefixes: ['two'], checkpointReached, maxSearchWindow: 4 });
    await types(client.subscribeToAll({ filter }), 1);
    expect(checkpoints.slice(0, 2)).toEqual([256n, 512n]);
  });

  it('follows one stream from a revision on', async () => {
    const following = types(client.subscribeToStream('one', { fromRevision: 5n }), 3);
    await append('one', [official.jsonEvent({ type: 'Late', data: {} })]);
    expect(await following).toEqual(['Odd', 'Even', 'Late']);
  });
});
