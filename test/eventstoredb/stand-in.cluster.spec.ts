import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { InMemoryEventStore } from '#lib/event-store';
import type { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { grpc } from '../support/eventstoredb-stand-in/grpc.js';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { official, type TestedClient } from './official-client.js';

/** Of a call that has an answer. */
const DEADLINE_MS = 30_000;
/** Of a call to a node that is frozen. */
const FROZEN_MS = 300;
const { VNodeState } = gossip.MemberInfo;

describe('a node of a stand-in cluster that is frozen while it leads', () => {
  const clients: TestedClient[] = [];
  let cluster: StandInCluster;
  beforeEach(async () => {
    cluster = await StandInCluster.start();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.dispose()));
    cluster.kill();
  });

  /** The leader and the living nodes, as a node reports them. */
  async function saidBy(node: EventStoreDbStandIn | undefined, deadlineMs = DEADLINE_MS) {
    const client = new gossipService.GossipClient(node?.address ?? '', grpc.credentials.createInsecure());
    const deadline = Date.now() + deadlineMs;
    const info = await new Promise<ClusterInfo>((resolve, reject) => {
      client.read(new shared.Empty(), new grpc.Metadata(), { deadline }, (error, told) => {
        client.close();
        if (error) reject(error);
        else resolve(told);
      });
    });
    const members = info.getMembersList();
    return {
      leader: members
        .find((member) => member.getState() === VNodeState.LEADER)
        ?.getHttpEndPoint()
        ?.getPort(),
      alive: members.filter((member) => member.getIsAlive()).length,
    };
  }

  function append(node: EventStoreDbStandIn | undefined) {
    const client = official.EventStoreDBClient.connectionString(node?.connectionString() ?? '');
    clients.push(client);
    const event = official.jsonEvent({ type: 'Own', data: {} });
    return client.appendToStream('s', [event], { expectedRevision: 'any', deadline: DEADLINE_MS });
  }

  it('answers nothing, and is named as the leader by the others until they have elected', async () => {
    const [first, second, third] = cluster.nodes;
    const { electNext, thaw } = cluster.freezeLeader();
    await expect(saidBy(first, FROZEN_MS)).rejects.toMatchObject({ code: grpc.status.DEADLINE_EXCEEDED });
    for (const node of [second, third]) expect(await saidBy(node)).toEqual({ leader: first?.port, alive: 3 });
    await electNext();
    for (const node of [second, third])
      expect(await saidBy(node)).toEqual({ leader: second?.port, alive: 2 });
    await append(second);
    thaw();
    expect(await saidBy(first)).toEqual({ leader: second?.port, alive: 3 });
  });

  it('shows what followers of its log get after it has woken, not before', async () => {
    const [first] = cluster.nodes;
    const client = official.EventStoreDBClient.connectionString(first?.connectionString() ?? '');
    clients.push(client);
    const following = client.subscribeToStream('s')[Symbol.asyncIterator]();
    await append(first);
    expect((await following.next()).value.event?.revision).toBe(0n);
    const { electNext, thaw } = cluster.freezeLeader();
    await electNext();
    await append(cluster.nodes[1]);
    const next = following.next();
    const still = Symbol('still');
    expect(await Promise.race([next, saidBy(cluster.nodes[1]).then(() => still)])).toBe(still);
    thaw();
    expect((await next).value.event?.revision).toBe(1n);
  });
});

it('a stand-in whose log is replaced has the events of the other store, on the same port', async () => {
  const cluster = await StandInCluster.start({}, 1);
  const [node] = cluster.nodes as [EventStoreDbStandIn];
  const empty = await node.replacedBy(new InMemoryEventStore());
  expect(empty.port).toBe(node.port);
  expect(await empty.store.readStream('s')).toEqual([]);
  empty.kill();
});
