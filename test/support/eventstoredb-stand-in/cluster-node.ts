import { randomUUID } from 'node:crypto';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { grpc, type Metadata, type ServiceError } from './grpc.js';
import { serviceError } from './service-error.js';

const { VNodeState } = gossip.MemberInfo;

/** The nodes that share a log, and which of them leads; none does during an election. */
export interface Membership {
  readonly ports: readonly number[];
  readonly leader: number | undefined;
  /** Those that do not answer, once the others have noticed. */
  readonly dead?: readonly number[];
}

/** One node's view of its cluster. */
export class ClusterNode {
  constructor(
    private readonly host: string,
    private readonly port: () => number,
    private readonly membership: () => Membership,
  ) {}

  /** Why a call that needs the leader goes no further here. */
  refusal(metadata: Metadata): ServiceError | undefined {
    return metadata.get('requires-leader')[0] === 'true' ? this.notLeader() : undefined;
  }

  /** Whether another node leads, or none. */
  get follows(): boolean {
    return this.membership().leader !== this.port();
  }

  /** With the address of the leader where there is one. */
  notLeader(): ServiceError | undefined {
    const { leader } = this.membership();
    if (!this.follows) return undefined;
    if (leader === undefined) return serviceError(grpc.status.UNKNOWN, NO_LEADER);
    return serviceError(grpc.status.NOT_FOUND, 'Leader info available.', {
      exception: 'not-leader',
      'leader-endpoint-host': this.host,
      'leader-endpoint-port': String(leader),
    });
  }

  info(): ClusterInfo {
    const { ports, leader, dead = [] } = this.membership();
    const follower = leader === undefined ? VNodeState.UNKNOWN : VNodeState.FOLLOWER;
    const members = ports.map((port) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(randomUUID()))
        .setTimeStamp('0')
        .setState(port === leader ? VNodeState.LEADER : follower)
        .setIsAlive(!dead.includes(port))
        .setHttpEndPoint(new gossip.EndPoint().setAddress(this.host).setPort(port)),
    );
    return new gossip.ClusterInfo().setMembersList(members);
  }
}

/** The answer to an append that a server cannot pass on, while the cluster has no leader. */
export const NO_LEADER = 'No leader info available in response';
