import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { thrownText } from '#lib/kernel';
import { StoreUnavailable } from '#lib/event-store';
import { GRPC, type GrpcFailure, isChannelLost, leaderNamedBy } from './grpc-failure.js';
import { LeaderFinder } from './leader-finder.js';
import {
  type BatchAppendCall,
  gossipOf,
  NodeConnection,
  type ReadCall,
  type Reading,
} from './node-connection.js';
import { type OfficialClient, officialClient } from './official-client.js';
import { type Servers, serversOf } from './server-names.js';
import { ServerSilent } from './server-errors.js';
import { tlsExpected } from './unavailable.js';
import { connect } from 'node:tls';

const TIMEOUT_MS = 1_000;

/**
 * Whether a server speaks TLS. Such a server ends a connection without TLS and gives no reason, as does a server that is starting or overloaded. No
 * data is sent to it and none is trusted, so its certificate does not matter here.
 */
function speaksTls(endpoint: string): Promise<boolean> {
  const [host, port] = endpoint.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const settle = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

/** Checks a node before it is used. @throws StoreUnavailable if it must not be used */
type NodeCheck = (node: Reading) => Promise<void>;

/**
 * Finds the leader, and finds it again after a failure, a silence or an election. Connection string, TLS and credentials are the official client's.
 * The calls are our own. The client's calls would parse and so change JSON text, cannot filter reads of the log, keep the appends of all clients of a
 * process in one table, where a failure of one connection breaks the others, and wait for a frozen node.
 */
export class Connection implements Reading {
  readonly #finder: LeaderFinder;
  #connecting: Promise<NodeConnection> | undefined;
  #node: NodeConnection | undefined;
  #check: NodeCheck | undefined;
  #closed = false;

  private constructor(
    private readonly servers: Servers,
    /** A node is left once a call has waited in vain and the node has answered no call for half of this time. */
    private readonly silenceMs: number,
  ) {
    const ask = (endpoint: string, ms: number) => gossipOf(this.#clientTo(endpoint), ms);
    const { endpoints, areCluster, gossipTimeoutMs } = servers;
    this.#finder = new LeaderFinder(endpoints, areCluster, gossipTimeoutMs, ask);
  }

  /** Connects with the first call. @throws StoreUnavailable if the text is not a connection string */
  static to(connectionString: string, silenceMs: number): Connection {
    const connection = new Connection(serversOf(connectionString), silenceMs);
    connection.#clientTo(connection.servers.endpoints[0] ?? '');
    return connection;
  }

  /** `host:port`, or several, never with credentials. */
  get server(): string {
    return this.servers.names;
  }

  /** From now on, each new connection is checked before it is used. */
  checkEach(check: NodeCheck): void {
    this.#check = check;
  }

  read<T>(request: ReadReq, attend: (call: ReadCall) => Promise<T>): Promise<T> {
    return this.#execute((node) => node.read(request, attend));
  }

  /** `read` for a call that carries many appends. */
  batchAppend(attend: (call: BatchAppendCall) => Promise<void>): Promise<void> {
    return this.#execute((node) => node.batchAppend(attend));
  }

  /**
   * Called after a call has waited for the server for this time. If the node was silent to all other calls meanwhile, it is left: its calls end, and
   * the next ones go to the node that leads then.
   */
  wasSilent(waitedMs: number): void {
    const node = this.#node;
    if (node === undefined || node.silentForMs(waitedMs) < this.silenceMs / 2) return;
    this.#finder.suspect(node.endpoint);
    this.#leave(node);
    node.cut(new ServerSilent(waitedMs, true));
  }

  /** The failure with the reason why a server could not be reached, if that can be found out. */
  async explained(failure: unknown): Promise<unknown> {
    const { names, endpoints, withTls } = this.servers;
    const isUnreached = failure instanceof StoreUnavailable && isChannelLost(failure.cause);
    if (withTls || !isUnreached) return failure;
    const speaking = await Promise.all(endpoints.map(speaksTls));
    return speaking.includes(true) ? tlsExpected(names, failure.cause) : failure;
  }

  close(): void {
    this.#closed = true;
    this.#node?.close();
  }

  async #execute<T>(action: (node: NodeConnection) => Promise<T>): Promise<T> {
    const node = await this.#connected();
    try {
      return await action(node);
    } catch (error) {
      this.#failed(node, error);
      throw error;
    }
  }

  #connected(): Promise<NodeConnection> {
    if (this.#connecting) return this.#connecting;
    const connecting = this.#connect();
    this.#connecting = connecting;
    connecting.catch(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    return connecting;
  }

  async #connect(): Promise<NodeConnection> {
    const endpoint = await this.#finder.find().catch(notConnected);
    const node = await NodeConnection.to(endpoint, this.#clientTo(endpoint), (lost) => this.#leave(lost));
    this.#node = node;
    try {
      if (this.#closed) node.close();
      await this.#check?.(node);
    } catch (error) {
      this.#failed(node, error);
      this.#leave(node);
      throw error;
    }
    return node;
  }

  #failed(node: NodeConnection, error: unknown): void {
    const leader = leaderNamedBy(error);
    if (leader !== undefined) this.#finder.named(leader);
    if (leader !== undefined || isChannelLost(error)) this.#leave(node);
  }

  #leave(node: NodeConnection): void {
    node.close();
    if (this.#node !== node) return;
    this.#node = undefined;
    this.#connecting = undefined;
  }

  /** The client's own errors quote the connection string, so they are not passed on. */
  #clientTo(endpoint: string): OfficialClient {
    try {
      return officialClient(this.servers.connectionStringTo(endpoint));
    } catch {
      throw new StoreUnavailable(
        `cannot use the connection string of EventStoreDB at ${this.server}`,
        'the client does not understand it, or a file it names is missing',
        'Check its parameters and the files named by tlsCAFile, userCertFile and userKeyFile',
      );
    }
  }
}

/** No node was reached. */
function notConnected(error: unknown): never {
  if (error instanceof StoreUnavailable) throw error;
  const why = thrownText(error);
  const failure: GrpcFailure = { code: GRPC.unavailable, details: `No connection established. ${why}` };
  throw Object.assign(new Error(why), failure);
}
