import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { official, type ResolvedEvent, type TestedClient } from './official-client.js';

const UNKNOWN = 2;
const INVALID_ARGUMENT = 3;
const BEYOND = { commit: 1_000_000n, prepare: 1_000_000n };

/** Places of the log without an event, as a server of version 24.6 was observed to treat them. */
describe('a place of the log of the stand-in', () => {
  let standIn: EventStoreDbStandIn;
  let client: TestedClient;
  let between: { readonly commit: bigint; readonly prepare: bigint };
  beforeEach(async () => {
    standIn = await EventStoreDbStandIn.start();
    client = official.EventStoreDBClient.connectionString(standIn.connectionString());
    const { position } = await append('First');
    await append('Second');
    const commit = (position?.commit ?? 0n) + 1n;
    between = { commit, prepare: commit };
  });
  afterEach(async () => {
    await client.dispose();
    standIn.kill();
  });

  const append = (type: string) =>
    client.appendToStream('s', [official.jsonEvent({ type, data: {} })], { expectedRevision: 'any' });

  async function types(events: AsyncIterable<ResolvedEvent>, most = 99): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    for await (const { event } of events) {
      seen.push(event?.type);
      if (seen.length === most) break;
    }
    return seen;
  }

  it('beyond the end is empty for reads, which fail backwards alone', async () => {
    expect(await types(client.readAll({ fromPosition: BEYOND }))).toEqual([]);
    const backwards = client.readAll({ fromPosition: BEYOND, direction: 'backwards' });
    await expect(types(backwards)).rejects.toMatchObject({ code: UNKNOWN });
  });

  it('beyond the end is taken by a subscription', async () => {
    const following = client.subscribeToAll({ fromPosition: BEYOND });
    const gone = types(following);
    await following.unsubscribe();
    expect(await gone).toEqual([]);
  });

  it.each(['forwards', 'backwards'])('between two events fails reads %s', async (direction) => {
    const reading = types(client.readAll({ fromPosition: between, direction }));
    await expect(reading).rejects.toMatchObject({ code: UNKNOWN });
  });

  it('between two events is an invalid argument of a subscription', async () => {
    const following = types(client.subscribeToAll({ fromPosition: between }));
    await expect(following).rejects.toMatchObject({ code: INVALID_ARGUMENT });
  });

  it('that a checkpoint among events of others names can be followed from', async () => {
    await standIn.addForeign(1_000);
    const { position: third } = await append('Third');
    const checkpoints: (typeof between)[] = [];
    const checkpointReached = async (_: unknown, place: typeof between) => void checkpoints.push(place);
    const filter = official.streamNameFilter({ prefixes: ['s'], checkpointReached, maxSearchWindow: 1 });
    await types(client.subscribeToAll({ filter }), 3);
    const among = checkpoints.filter(({ commit }) => commit < (third?.commit ?? 0n));
    expect(among).not.toEqual([]);
    for (const fromPosition of among) {
      const seen = await types(client.subscribeToAll({ filter, fromPosition }), 1);
      expect(['First', 'Second', 'Third']).toContain(seen[0]);
    }
  });
});
