import { createRequire } from 'node:module';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '#lib/event-store';
import { GRPC, type GrpcFailure } from './grpc-failure.js';
import { serverNames } from './server-names.js';

export type ReadCall = ReturnType<StreamsClient['read']>;
export type BatchAppendCall = ReturnType<StreamsClient['batchAppend']>;

/** Every call goes to the leader, so that readers see every acknowledged append, and has no deadline. */
const LEADER = { requiresLeader: true };
const NO_DEADLINE = { deadline: Infinity };

/**
 * The official client's connection: connection string, TLS, credentials, finding the leader, connecting again after a
 * failure. The calls are our own. The client's would parse and so change JSON text, cannot filter reads of the log, and
 * keep the appends of all clients of a process in one table, where a failure of one connection breaks the others.
 */
export class Connection {
  readonly #client: OfficialClient;
  #streams: StreamsClient | undefined;

  private constructor(
    client: OfficialClient,
    /** `host:port`, or several; never credentials. */
    readonly server: string,
  ) {
    this.#client = client;
  }

  /** Connects with the first call. @throws StoreUnavailable when the text is not a connection string */
  static to(connectionString: string): Connection {
    const server = serverNames(connectionString);
    return new Connection(clientOf(connectionString, server), server);
  }

  /** Makes the call; `attend` settles when it is over, and rejects with the call's own error. */
  read<T>(request: ReadReq, attend: (call: ReadCall) => Promise<T>): Promise<T> {
    return this.#execute((client) =>
      attend(client.read(request, ...this.#client.callArguments(LEADER, NO_DEADLINE))),
    );
  }

  /** As `read`, for a call that carries many appends. */
  batchAppend(attend: (call: BatchAppendCall) => Promise<void>): Promise<void> {
    return this.#execute((client) =>
      attend(client.batchAppend(...this.#client.callArguments(LEADER, NO_DEADLINE))),
    );
  }

  async close(): Promise<void> {
    await this.#client.dispose();
    this.#streams?.close();
  }

  /**
   * If `action` fails because of the connection, the client drops it, and the next call gets a new one. What fails
   * before is the search for the leader of a cluster: then no node was reached.
   */
  async #execute<T>(action: (client: StreamsClient) => Promise<T>): Promise<T> {
    let connected = false;
    try {
      return await this.#client.execute(streamsService.StreamsClient, 'redial', (client) => {
        connected = true;
        this.#streams = client;
        return action(client);
      });
    } catch (error) {
      throw connected ? error : notConnected(error);
    }
  }
}

function notConnected(error: unknown): GrpcFailure {
  const why = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(why), {
    code: GRPC.unavailable,
    details: `No connection established. ${why}`,
  });
}

/** The client's own complaints quote the connection string, so they go no further. */
function clientOf(connectionString: string, server: string): OfficialClient {
  try {
    return officialClient(connectionString);
  } catch {
    throw new StoreUnavailable(
      `cannot use the connection string of EventStoreDB at ${server}`,
      'the client does not understand it, or a file it names is missing',
      'Check its parameters and the files named by tlsCAFile, userCertFile and userKeyFile',
    );
  }
}

/** How a call is sent: headers, and options such as deadline and credentials. */
type CallArguments =
  Required<Parameters<StreamsClient['batchAppend']>> extends [infer Metadata, infer Options]
    ? [Metadata, Options]
    : never;

/** The part of the official client 6.2.1 that Redial uses. */
interface OfficialClient {
  /** Runs calls; if they fail because of the connection, the next ones get a new one. */
  execute<Service, Result>(
    service: new (...args: never[]) => Service,
    name: string,
    action: (client: Service) => Promise<Result>,
  ): Promise<Result>;
  callArguments(
    options: { readonly requiresLeader: boolean },
    callOptions: { readonly deadline: number },
  ): CallArguments;
  /** Cancels what is under way. Connections stay. */
  dispose(): Promise<void>;
}

interface OfficialPackage {
  readonly EventStoreDBClient: { connectionString(text: string): OfficialClient };
}

/** Not an `import`: the declarations of its entry do not compile with those of newer Node versions. */
const { EventStoreDBClient } = createRequire(import.meta.url)('@eventstore/db-client') as OfficialPackage;

/** @throws Error that may quote the connection string */
function officialClient(connectionString: string): OfficialClient {
  return EventStoreDBClient.connectionString(connectionString);
}
