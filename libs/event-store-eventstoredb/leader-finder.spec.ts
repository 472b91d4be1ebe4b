import { describe, expect, it } from '@jest/globals';
import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { LeaderFinder } from './leader-finder.js';

const [A, B, C] = ['a:1', 'b:1', 'c:1'] as const;
const HOUR_MS = 3_600_000;
const { VNodeState } = gossip.MemberInfo;

/** A cluster in which each node names a leader, unless it is `frozen` or `dead`. */
function clusterOf(said: { [endpoint: string]: string | undefined }) {
  return async (endpoint: string, timeoutMs: number): Promise<ClusterInfo> => {
    if (said[endpoint] === 'dead') throw new Error('ECONNREFUSED');
    if (said[endpoint] === 'frozen' && timeoutMs === HOUR_MS) return new Promise(() => undefined);
    if (said[endpoint] === 'frozen') throw new Error('no answer');
    const members = [A, B, C].map((node) => {
      const [address, port] = node.split(':') as [string, string];
      return new gossip.MemberInfo()
        .setIsAlive(true)
        .setState(node === said[endpoint] ? VNodeState.LEADER : VNodeState.FOLLOWER)
        .setHttpEndPoint(new gossip.EndPoint().setAddress(address).setPort(Number(port)));
    });
    return new gossip.ClusterInfo().setMembersList(members);
  };
}

describe('LeaderFinder', () => {
  const finder = (said: Parameters<typeof clusterOf>[0], seeds: readonly string[] = [A, B, C]) =>
    new LeaderFinder(seeds, true, HOUR_MS, clusterOf(said));

  it('takes the node that another one names, however many are frozen or dead', async () => {
    expect(await finder({ [A]: 'frozen', [B]: 'dead', [C]: B }).find()).toBe(B);
  });

  it('does not take a suspect on the word of others', async () => {
    const said: { [endpoint: string]: string } = { [A]: 'frozen', [B]: A, [C]: A };
    const finding = finder(said);
    finding.suspect(A);
    await expect(finding.find()).rejects.toThrow(
      /^Failed to discover a leader\. a:1 is named and does not answer/,
    );
    said[B] = C;
    expect(await finding.find()).toBe(C);
  });

  it('takes a suspect that answers for itself', async () => {
    const finding = finder({ [A]: A, [B]: A, [C]: A });
    finding.suspect(A);
    expect(await finding.find()).toBe(A);
  });

  it('asks the members that it has heard of, too', async () => {
    const said: { [endpoint: string]: string } = { [A]: B, [B]: B, [C]: B };
    const finding = finder(said, [A]);
    expect(await finding.find()).toBe(B);
    Object.assign(said, { [A]: 'dead', [B]: 'dead', [C]: C });
    expect(await finding.find()).toBe(C);
  });

  it('says of each node why it did not answer', async () => {
    const finding = finder({ [A]: 'dead', [B]: 'dead' }, [A, B]).find();
    await expect(finding).rejects.toThrow(
      'Failed to discover a leader. a:1: ECONNREFUSED; b:1: ECONNREFUSED',
    );
  });

  it('asks nobody where one node is the only way, but a suspect that this one names', async () => {
    const finding = new LeaderFinder([A], false, HOUR_MS, clusterOf({ [B]: 'frozen' }));
    expect(await finding.find()).toBe(A);
    finding.named(B);
    expect(await finding.find()).toBe(B);
    finding.named(B);
    finding.suspect(B);
    expect(await finding.find()).toBe(A);
  });
});
