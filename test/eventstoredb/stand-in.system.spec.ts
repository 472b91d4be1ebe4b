import { afterEach, describe, expect, it } from '@jest/globals';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { official, type ResolvedEvent as Seen, type TestedClient } from './official-client.js';

const HOUR_MS = 3_600_000;

/** The behaviour of the real server without a client's request, as its clients see it. */
describe('the stand-in', () => {
  const stops: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  function connect(connectionString: string): TestedClient {
    const client = official.EventStoreDBClient.connectionString(connectionString);
    stops.push(() => client.dispose());
    return client;
  }

  async function single(options = {}): Promise<readonly [EventStoreDbStandIn, TestedClient]> {
    const standIn = await EventStoreDbStandIn.start(options);
    stops.push(() => standIn.kill());
    return [standIn, connect(standIn.connectionString())];
  }

  const any = { expectedRevision: 'any' } as const;
  const event = (type: string, data: unknown) => official.jsonEvent({ type, data });

  async function seen(events: AsyncIterable<Seen>): Promise<readonly Seen[]> {
    const all: Seen[] = [];
    for await (const one of events) all.push(one);
    return all;
  }

  it('begins its log with events of the system, and continues it after a restart', async () => {
    const [standIn, client] = await single();
    await client.appendToStream('s', [event('Own', {})], any);
    const streams = (await seen(client.readAll())).map(({ event }) => event?.streamId);
    expect(streams).toEqual(['$$$stats', '$$$scavenges', 's']);
    const [, again] = await single({ store: standIn.store });
    expect(await seen(again.readAll())).toHaveLength(streams.length);
  });

  it('resolves links for those who want it, and gives the link alone when its target is gone', async () => {
    const [, client] = await single();
    await client.appendToStream('kept', [event('Kept', { n: 1 })], any);
    await client.appendToStream('gone', [event('Gone', { n: 2 })], any);
    const links = ['0@kept', '0@gone', '7@kept'].map((target) =>
      official.binaryEvent({ type: '$>', data: Buffer.from(target) }),
    );
    await client.appendToStream('links', links, any);
    await client.deleteStream('gone', any);
    const typesOf = (all: readonly Seen[]) => all.map(({ event, link }) => [event?.type, link?.type]);
    expect(typesOf(await seen(client.readStream('links')))).toEqual(links.map(() => ['$>', undefined]));
    const resolved = await seen(client.readStream('links', { resolveLinkTos: true }));
    expect(typesOf(resolved)).toEqual([
      ['Kept', '$>'],
      [undefined, '$>'],
      [undefined, '$>'],
    ]);
    for await (const { event, link } of client.subscribeToStream('links', { resolveLinkTos: true })) {
      expect([event?.type, link?.type]).toEqual(['Kept', '$>']);
      break;
    }
  });

  it('refuses an append that comes after its deadline by the clock of the server', async () => {
    const [, client] = await single();
    const late = { ...any, deadline: -1_000 };
    await expect(client.appendToStream('s', [event('Late', {})], late)).rejects.toMatchObject({
      type: 'deadline-exceeded',
    });
    await client.appendToStream('s', [event('InTime', {})], any);
    expect(await seen(client.readStream('s'))).toHaveLength(1);
  });

  it('takes as many events in one append as fit the limit of the server, and not those of the port', async () => {
    const [, client] = await single();
    const many = Array.from({ length: 3_500 }, (_, n) => event('Many', { n }));
    await client.appendToStream('s', many, { expectedRevision: 'no_stream' });
    expect(await seen(client.readStream('s'))).toHaveLength(3_500);
  });

  it('accepts users without credentials where it is configured to', async () => {
    const users = { admin: 'changeit' };
    const [, refused] = await single({ users });
    await expect(seen(refused.readAll())).rejects.toMatchObject({ type: 'access-denied' });
    const [, client] = await single({ users: { ...users, '': '' } });
    expect(await seen(client.readAll())).not.toEqual([]);
  });

  /** A cluster whose first node leads, which has appended an event. @returns what a node shows of it, or why not */
  async function clusterThatLags(replicationLagMs: number) {
    const cluster = await StandInCluster.start({ replicationLagMs });
    stops.push(() => cluster.kill());
    const [leader, follower] = cluster.nodes.map((node) => connect(node.connectionString()));
    await leader?.appendToStream('s', [event('Own', {})], any);
    const read = async (client: TestedClient | undefined) =>
      seen(client?.readStream('s', { requiresLeader: false }) ?? none()).catch(
        ({ type }: { type: string }) => type,
      );
    return { cluster, leader, follower, read };
  }

  it('as a cluster shows at a node that follows what has come there, and no more', async () => {
    const { leader, follower, read } = await clusterThatLags(HOUR_MS);
    expect(await read(leader)).toHaveLength(1);
    expect(await read(follower)).toBe('stream-not-found');
  });

  it('as a cluster shows an event later at a node that follows, and begins an epoch with each leader', async () => {
    const { cluster, follower, read } = await clusterThatLags(50);
    while ((await read(follower)) === 'stream-not-found');
    expect(await read(follower)).toHaveLength(1);
    await cluster.elect(1);
    const epochs = follower?.readStream('$epoch-information', { requiresLeader: false });
    expect((await seen(epochs ?? none())).map(({ event }) => event?.data)).toMatchObject([
      { EpochNumber: 1 },
    ]);
  });
});

async function* none(): AsyncGenerator<never> {}
