import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '#lib/event-store';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { official, type TestedClient } from './official-client.js';

const NO_BLOBS = official.streamNameFilter({ regex: String.raw`^(?!\$|[^-]*blob-)redial_` });

describe('the stand-in, where our own port would leave out or refuse', () => {
  let standIn: EventStoreDbStandIn;
  let client: TestedClient;
  const open = async (store = new InMemoryEventStore()) => {
    standIn = await EventStoreDbStandIn.start({ store });
    client = official.EventStoreDBClient.connectionString(standIn.connectionString());
    return store;
  };
  let store: InMemoryEventStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(async () => {
    await client.dispose();
    standIn.kill();
  });

  const append = (stream: string, type: string, data: object = {}) =>
    client.appendToStream(stream, [official.jsonEvent({ type, data })], { expectedRevision: 'any' });

  async function types(events: AsyncIterable<{ readonly event?: { readonly type: string } }>, most = 99) {
    const seen: string[] = [];
    for await (const { event } of events) {
      seen.push(event?.type ?? '');
      if (seen.length === most) break;
    }
    return seen;
  }

  /** Without what the server writes for itself. */
  const ownTypes = async () => (await types(client.readAll())).filter((type) => !type.startsWith('$'));

  it('shows every stream to who does not filter, and to a filter what it names', async () => {
    for (const [n, stream] of [
      'redial_blob-1',
      '-redial_blob-1',
      'redial_session-blob-1',
      'blob-1',
    ].entries())
      await append(stream, `Type${n}`);
    expect(await ownTypes()).toEqual(['Type0', 'Type1', 'Type2', 'Type3']);
    expect(await types(client.readStream('redial_blob-1'))).toEqual(['Type0']);
    expect(await types(client.readStream('-redial_blob-1'))).toEqual(['Type1']);
    const blobs = official.streamNameFilter({ prefixes: ['redial_blob-'] });
    expect(await types(client.subscribeToAll({ filter: blobs }), 1)).toEqual(['Type0']);
    expect(await types(client.subscribeToAll({ filter: NO_BLOBS }), 1)).toEqual(['Type2']);
  });

  it('keeps what is more than our port takes at once, also over a restart', async () => {
    const data = { text: 'ż"'.repeat(250_000) };
    await append('s', 'Large', data);
    await client.dispose();
    standIn.kill();
    await open(store);
    for await (const { event } of client.readStream('s')) expect(event?.data).toEqual(data);
    expect(await ownTypes()).toEqual(['Large']);
  });
});
