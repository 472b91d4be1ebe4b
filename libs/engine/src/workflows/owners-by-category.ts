import type { EventLog, NewEvent, StreamAppend, StreamCategory, StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { AskedRun, EndedRun, RunOwner, Wanted } from '#lib/workflow';

/** The owner of a workflow whose runs are asked for by streams of several categories. */
export class OwnersByCategory implements RunOwner {
  constructor(
    private readonly log: EventLog,
    private readonly owners: { readonly [Category in StreamCategory]?: RunOwner },
  ) {}

  lookUp(asked: AskedRun, revision: number): Promise<Wanted> {
    return this.#of(asked.stream).lookUp(asked, revision);
  }

  find(asked: AskedRun, history: StreamHistory): Wanted | undefined {
    return this.#of(asked.stream).find?.(asked, history);
  }

  deliver(ended: EndedRun): Promise<readonly RecordedEvent[]> {
    return this.#of(ended.owner.stream).deliver(ended);
  }

  planDelivery(ended: EndedRun): StreamAppend<NewEvent> | undefined {
    return this.#of(ended.owner.stream).planDelivery?.(ended);
  }

  #of(stream: string): RunOwner {
    const category = this.log.streams.parse(stream)?.category as StreamCategory;
    const owner = this.owners[category];
    if (!owner) throw new TypeError(`No capability asks for runs in ${stream}.`);
    return owner;
  }
}
