import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { GRPC, type GrpcFailure } from './grpc-failure.js';
import type { OfficialClient } from './official-client.js';

export type ReadCall = ReturnType<StreamsClient['read']>;
export type BatchAppendCall = ReturnType<StreamsClient['batchAppend']>;

/** Every call goes to the leader, so that readers see every acknowledged append, and has no deadline. */
const LEADER = { requiresLeader: true };
const NO_DEADLINE = { deadline: Infinity };
/** gRPC's number for the state of a connected channel. */
const READY = 2;

/** The source of reads: one node, or a connection that finds a node first. */
export interface Reading {
  /** Makes the call. `attend` settles when the call is over, and rejects with the call's own error. */
  read<T>(request: ReadReq, attend: (call: ReadCall) => Promise<T>): Promise<T>;
}

/** The channel to one node, from its first call until it breaks, falls silent or is closed. A later channel may lead to another database. */
export class NodeConnection implements Reading {
  readonly #calls = new Set<ReadCall | BatchAppendCall>();
  readonly #end: Promise<never>;
  #cutOff: ((cause: unknown) => void) | undefined;
  #heardAt = performance.now();
  #hasAnswered = false;
  #closed = false;

  private constructor(
    readonly endpoint: string,
    private readonly client: OfficialClient,
    private readonly streams: StreamsClient,
    private readonly onDown: (node: NodeConnection) => void,
  ) {
    this.#end = new Promise<never>((_, reject) => (this.#cutOff = reject));
    this.#end.catch(() => undefined);
  }

  /** Connects with the first call. @param onDown called when a connection that worked is lost */
  static async to(
    endpoint: string,
    client: OfficialClient,
    onDown: (node: NodeConnection) => void,
  ): Promise<NodeConnection> {
    const streams = await client.createGRPCClient(streamsService.StreamsClient);
    return new NodeConnection(endpoint, client, streams, onDown);
  }

  read<T>(request: ReadReq, attend: (call: ReadCall) => Promise<T>): Promise<T> {
    return this.#attended(() => this.streams.read(request, ...this.#arguments()), attend);
  }

  /** `read` for a call that carries many appends. */
  batchAppend(attend: (call: BatchAppendCall) => Promise<void>): Promise<void> {
    return this.#attended(() => this.streams.batchAppend(...this.#arguments()), attend);
  }

  /** The time for which the node was silent within the caller's wait: the node may have answered others meanwhile. */
  silentForMs(waitedMs: number): number {
    return Math.min(waitedMs, performance.now() - this.#heardAt);
  }

  /** Ends all its calls with this failure. */
  cut(cause: unknown): void {
    this.close();
    this.#cutOff?.(cause);
    for (const call of this.#calls) call.cancel();
  }

  /** Takes no more calls. The open ones continue. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.streams.close();
  }

  #arguments() {
    return this.client.callArguments(LEADER, NO_DEADLINE);
  }

  async #attended<Call extends ReadCall | BatchAppendCall, T>(
    begin: () => Call,
    attend: (call: Call) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw CLOSED;
    const call = begin();
    this.#calls.add(call);
    call.on('metadata', () => this.#heard());
    call.on('data', () => this.#heard());
    try {
      return await Promise.race([attend(call), this.#end]);
    } finally {
      this.#calls.delete(call);
    }
  }

  #heard(): void {
    this.#heardAt = performance.now();
    if (this.#hasAnswered || this.#closed) return;
    this.#hasAnswered = true;
    this.streams.getChannel().watchConnectivityState(READY, Infinity, () => {
      if (!this.#closed) this.onDown(this);
    });
  }
}

const CLOSED: GrpcFailure = {
  code: GRPC.unavailable,
  details: 'No connection established. It was closed before call started.',
};

/** The members of the cluster, as the node reports them. @param timeoutMs for an answer */
export async function gossipOf(client: OfficialClient, timeoutMs: number): Promise<ClusterInfo> {
  const gossip: GossipClient = await client.createGRPCClient(gossipService.GossipClient);
  const [metadata] = client.callArguments({ requiresLeader: false }, NO_DEADLINE);
  try {
    return await new Promise((resolve, reject) => {
      const deadline = Date.now() + timeoutMs;
      gossip.read(new shared.Empty(), metadata, { deadline }, (error, info) => {
        if (error) reject(error);
        else resolve(info);
      });
    });
  } finally {
    gossip.close();
  }
}
