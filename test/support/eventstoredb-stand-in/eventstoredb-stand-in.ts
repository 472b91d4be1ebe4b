import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type EventStore, InMemoryEventStore } from '#lib/event-store';
import { append } from './append.js';
import { batchAppend } from './batch-append.js';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.js';
import { ClusterNode, type Membership } from './cluster-node.js';
import { softDelete, tombstone } from './delete.js';
import { grpc, type sendUnaryData, type ServerUnaryCall, type UntypedHandleCall } from './grpc.js';
import { Misbehaviour } from './misbehaviour.js';
import { read } from './read.js';
import { supportedMethods } from './server-features.js';
import { type LogOptions, StandInLog } from './stand-in-log.js';
import { refused, type StandInParts } from './stand-in-parts.js';
import type { Users } from './users.js';

export interface StandInOptions extends LogOptions {
  /** Where the events go. Default: memory. It stays open when the stand-in stops, so the next one can continue it. */
  readonly store?: EventStore;
  /** Default: a free one. */
  readonly port?: number;
  readonly tls?: boolean;
  /** Passwords by user name. Default: everybody may do everything. */
  readonly users?: Users;
  /** Of a cluster: its log, and who leads it. Default: a log and a cluster of its own. */
  readonly log?: StandInLog;
  readonly membership?: () => Membership;
}

const HOST = '127.0.0.1';
/** Certificates are for names: TLS does not like numbers. */
const TLS_HOST = 'localhost';

/** A server that speaks EventStoreDB's gRPC protocol, as far as Redial and the official client use it. */
export class EventStoreDbStandIn {
  readonly misbehaviour: Misbehaviour;
  readonly #log: StandInLog;

  private constructor(
    private readonly server: InstanceType<typeof grpc.Server>,
    parts: StandInParts,
    /** Where the events go, for a restart or to write behind its back. */
    readonly store: EventStore,
    readonly port: number,
    readonly tls: boolean,
  ) {
    this.misbehaviour = parts.misbehaviour;
    this.#log = parts.log;
  }

  /** Events of other applications, after what is in the log now: they are counted, not kept. */
  async addForeign(count: number): Promise<void> {
    this.#log.places.addForeign(await this.#log.store.head(), count);
  }

  /** How many events of other applications calls have scanned, each call counted. */
  get foreignScanned(): number {
    return this.#log.foreignScanned;
  }

  /** How long after it was written an event can be read. */
  set indexLagMs(lagMs: number) {
    this.#log.index.lagMs = lagMs;
  }

  static async start(options: StandInOptions = {}): Promise<EventStoreDbStandIn> {
    const { store = new InMemoryEventStore(), port = 0, tls = false, users } = options;
    const log = options.log ?? (await StandInLog.open(store, options, users !== undefined));
    let bound = port;
    const alone = () => ({ ports: [bound], leader: bound });
    const node = new ClusterNode(tls ? TLS_HOST : HOST, () => bound, options.membership ?? alone);
    const parts = { log, misbehaviour: new Misbehaviour(), users, node };
    const server = new grpc.Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    addServices(server, parts);
    bound = await bind(server, port, tls);
    return new EventStoreDbStandIn(server, parts, store, bound, tls);
  }

  get address(): string {
    return `${this.tls ? TLS_HOST : HOST}:${this.port}`;
  }

  /** For a client on this machine. @param user `name:password` */
  connectionString(user?: string): string {
    const credentials = user === undefined ? '' : `${user}@`;
    return `esdb://${credentials}${this.address}?tls=${this.tls}`;
  }

  /** The stand-in on this port after a restart with another database: empty, or from a backup. */
  async replacedBy(store: EventStore): Promise<EventStoreDbStandIn> {
    this.kill();
    return EventStoreDbStandIn.start({ store, port: this.port, tls: this.tls });
  }

  /** Ends every connection at once; new ones are welcome. */
  dropConnections(): void {
    this.server.drain(`${HOST}:${this.port}`, 0);
  }

  /** Ends at once, in the middle of any call, as after a power cut. */
  kill(): void {
    this.server.forceShutdown();
  }
}

function bind(server: InstanceType<typeof grpc.Server>, port: number, tls: boolean): Promise<number> {
  const pair = { private_key: Buffer.from(CERTIFICATE_KEY), cert_chain: Buffer.from(CERTIFICATE) };
  const credentials = tls
    ? grpc.ServerCredentials.createSsl(null, [pair])
    : grpc.ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(`${HOST}:${port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
}

function addServices(server: InstanceType<typeof grpc.Server>, parts: StandInParts): void {
  const withParts = (handle: (parts: StandInParts, ...args: never[]) => unknown) =>
    ((...args: never[]) => void handle(parts, ...args)) as UntypedHandleCall;
  server.addService(streamsService.StreamsService, {
    read: withParts(read),
    append: withParts(append),
    batchAppend: withParts(batchAppend),
    delete: withParts(softDelete),
    tombstone: withParts(tombstone),
  });
  server.addService(featuresService.ServerFeaturesService, {
    getSupportedMethods: answering(parts, supportedMethods),
  });
  server.addService(gossipService.GossipService, {
    read: answering(parts, () => parts.node.info()),
  });
}

/** These two are asked without credentials. */
function answering(parts: StandInParts, answer: () => unknown): UntypedHandleCall {
  return ((call: ServerUnaryCall<unknown, unknown>, respond: sendUnaryData<unknown>) => {
    const error = refused({ ...parts, users: undefined }, call.metadata);
    if (parts.misbehaviour.silent) return;
    respond(error ?? null, answer());
  }) as UntypedHandleCall;
}
