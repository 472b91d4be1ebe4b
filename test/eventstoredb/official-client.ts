import { createRequire } from 'node:module';

interface WriteResult {
  readonly nextExpectedRevision: bigint;
  readonly position?: { readonly commit: bigint };
}
interface Written {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
}
interface Expecting {
  readonly expectedRevision: 'any' | 'no_stream' | 'stream_exists' | bigint;
  /** With credentials of its own an append goes over the plain `Append` call instead of `BatchAppend`. */
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly deadline?: number;
}
export interface ResolvedEvent {
  readonly event?: Written & {
    readonly streamId: string;
    readonly revision: bigint;
    readonly isJson: boolean;
    readonly created: Date;
  };
  readonly link?: Written;
}

/** The part of the official client that the tests use. Its own declarations do not compile with those of newer Node versions. */
export interface TestedClient {
  appendToStream(stream: string, events: readonly unknown[], options: Expecting): Promise<WriteResult>;
  readStream(stream: string, options?: object): AsyncIterable<ResolvedEvent>;
  readAll(options?: object): AsyncIterable<ResolvedEvent>;
  subscribeToStream(
    stream: string,
    options?: object,
  ): AsyncIterable<ResolvedEvent> & { unsubscribe(): Promise<void> };
  subscribeToAll(options?: object): AsyncIterable<ResolvedEvent> & { unsubscribe(): Promise<void> };
  deleteStream(stream: string, options?: Expecting): Promise<unknown>;
  tombstoneStream(stream: string, options?: Expecting): Promise<unknown>;
  dispose(): Promise<void>;
}

interface OfficialPackage {
  readonly EventStoreDBClient: { connectionString(text: string): TestedClient };
  jsonEvent(event: object): unknown;
  binaryEvent(event: object): unknown;
  streamNameFilter(filter: object): object;
  eventTypeFilter(filter: object): object;
}

export const official = createRequire(import.meta.url)('@eventstore/db-client') as OfficialPackage;

/** Deletes streams of a test from a server that stays. Streams that were never written are no error. */
export async function deleteStreams(connectionString: string, streams: Iterable<string>): Promise<void> {
  const client = official.EventStoreDBClient.connectionString(connectionString);
  for (const stream of streams) {
    await client.deleteStream(stream, { expectedRevision: 'any' }).catch(() => undefined);
  }
  await client.dispose();
}
