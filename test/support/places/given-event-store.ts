import { randomUUID } from 'node:crypto';
import { official } from '../../eventstoredb/official-client.js';

const any = { expectedRevision: 'any' } as const;

/** An EventStoreDB that somebody else runs. The streams of the tests are deleted in the end; a scavenge frees their space. */
export class GivenEventStore {
  private constructor(
    readonly url: string,
    private readonly client: ReturnType<typeof official.EventStoreDBClient.connectionString>,
    /** A stream of our own: where its first event is, the streams of the tests begin, and where its last one is, they end. */
    private readonly marks: string,
    private readonly start: object | undefined,
  ) {}

  static async open(url: string): Promise<GivenEventStore> {
    const client = official.EventStoreDBClient.connectionString(url);
    const marks = `story_marks_${randomUUID().slice(0, 8)}`;
    const { position } = await client.appendToStream(marks, [mark('Begun')], any);
    return new GivenEventStore(url, client, marks, position);
  }

  async stop(prefixes: readonly string[]): Promise<void> {
    await this.client.appendToStream(this.marks, [mark('Ended')], any);
    for (const stream of [...(await this.#streams(prefixes)), this.marks]) {
      await this.client.deleteStream(stream, any);
    }
    await this.client.dispose();
  }

  async #streams(prefixes: readonly string[]): Promise<ReadonlySet<string>> {
    const streams = new Set<string>();
    const filter = official.streamNameFilter({ prefixes: [...prefixes, this.marks] });
    for await (const { event } of this.client.subscribeToAll({ filter, fromPosition: this.start })) {
      if (event?.streamId === this.marks) break;
      if (event) streams.add(event.streamId);
    }
    return streams;
  }
}

function mark(type: string): unknown {
  return official.jsonEvent({ type, data: {} });
}
