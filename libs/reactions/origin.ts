import type { EventLog } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { Owner } from '#lib/workflow';

/** As many streams are remembered. */
const KEPT = 1_000;

type First = Event<string, { readonly forkedFrom?: object; readonly fork?: string; readonly owner?: Owner }>;

/** Tells events that happened from those that forks and experiments try out. */
export class Origins {
  readonly #known = new Map<string, boolean>();

  constructor(private readonly log: EventLog) {}

  /** False for events of forks and of runs for experiments, and for copies. @throws UndecodableEvent @throws StoreUnavailable */
  async isLive({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): Promise<boolean> {
    return metadata.copied !== true && this.#isLiveStream(stream);
  }

  async #isLiveStream(stream: string): Promise<boolean> {
    const known = this.#known.get(stream);
    if (known !== undefined) return known;
    const isLive = await this.#look(stream);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KEPT && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(stream, isLive);
    return isLive;
  }

  /** The first event of a stream tells its origin, or its owner. */
  async #look(stream: string): Promise<boolean> {
    const { log } = this;
    const [first] = await log.readStream<First>(stream, { limit: 1 });
    if (first?.data.forkedFrom ?? first?.data.fork) return false;
    const { owner } = first?.data ?? {};
    if (!owner) return true;
    const above = 'run' in owner ? `${owner.workflow}-${owner.run}` : owner.stream;
    return !isTriedOut(above) && this.#isLiveStream(log.streams.withPrefix(above));
  }
}

/** Streams whose runs ask again about what was decided. */
const TRIED_OUT = ['evaluation-', 'experiment-'];

function isTriedOut(stream: string): boolean {
  return TRIED_OUT.some((category) => stream.startsWith(category));
}
