import { createRequire } from 'node:module';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';

/** The parts of a call besides its message: headers, and options such as deadline and credentials. */
type CallArguments =
  Required<Parameters<StreamsClient['batchAppend']>> extends [infer Metadata, infer Options]
    ? [Metadata, Options]
    : never;

/** The part of the official client 6.2.1 that Redial uses: for a connection string with one host, the calls to that host. */
export interface OfficialClient {
  /** A client of this service. All clients of services share one channel. */
  createGRPCClient<Service>(service: new (...args: never[]) => Service): Promise<Service>;
  callArguments(
    options: { readonly requiresLeader: boolean },
    callOptions: { readonly deadline: number },
  ): CallArguments;
}

interface OfficialPackage {
  readonly EventStoreDBClient: { connectionString(text: string): OfficialClient };
}

/** Not an `import`, because the declarations of its entry do not compile with those of newer Node versions. */
const { EventStoreDBClient } = createRequire(import.meta.url)('@eventstore/db-client') as OfficialPackage;

/** @throws Error that may quote the connection string */
export function officialClient(connectionString: string): OfficialClient {
  return EventStoreDBClient.connectionString(connectionString);
}
