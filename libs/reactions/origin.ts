import type { EventLog } from '#lib/event-store';
import { type Event, present, RecentMap, type RecordedEvent } from '#lib/kernel';
import type { Owner } from '#lib/workflow';

/** Streams whose origins are remembered. */
const KEPT = 1_000;

type First = Event<
  string,
  {
    readonly forkedFrom?: object;
    readonly fork?: string;
    readonly owner?: Owner;
    readonly machineName?: string;
    readonly agentName?: string;
  }
>;

/** The session, conversation or run for which a stream works. */
export interface Origin {
  /** False for forks, for runs of experiments, and for copies. */
  readonly isLive: boolean;
  /** The session, conversation or run at the top, or the stream itself, without the prefix of the log. */
  readonly root: string;
  /** Of the root. */
  readonly machineName?: string;
  readonly agentName?: string;
}

/** Tells live events from those of forks and experiments. */
export class Origins {
  readonly #known = new RecentMap<Origin>(KEPT);

  constructor(private readonly log: EventLog) {}

  /** False for events of forks and of runs for experiments, and for copies. @throws UndecodableEvent @throws StoreUnavailable */
  async isLive(event: Pick<RecordedEvent, 'stream' | 'metadata'>): Promise<boolean> {
    return event.metadata.copied !== true && (await this.of(event.stream)).isLive;
  }

  /** @throws UndecodableEvent @throws StoreUnavailable */
  async of(stream: string): Promise<Origin> {
    const known = this.#known.get(stream);
    if (known !== undefined) return known;
    const origin = await this.#look(stream);
    this.#known.set(stream, origin);
    return origin;
  }

  /** The first event of a stream tells its origin, or its owner. */
  async #look(stream: string): Promise<Origin> {
    const { log } = this;
    const [first] = await log.readStream<First>(stream, { limit: 1 });
    const { forkedFrom, fork, owner, machineName, agentName } = first?.data ?? {};
    const isTry = log.streams.withoutPrefix(stream).startsWith(TRY);
    const isLive = (forkedFrom ?? fork) === undefined && !isTry;
    if (!owner) {
      const names = present({ machineName, agentName });
      return { isLive, root: log.streams.withoutPrefix(stream), ...names };
    }
    const above = 'run' in owner ? `${owner.workflow}-${owner.run}` : owner.stream;
    const origin = await this.of(log.streams.withPrefix(above));
    return { ...origin, isLive: isLive && origin.isLive && !isTriedOut(above) };
  }
}

/** The runs that send recorded requests again. */
const TRY = 'llm_try-';

/** Streams whose runs ask again about decided rounds. */
const TRIED_OUT = ['evaluation-', 'experiment-'];

function isTriedOut(stream: string): boolean {
  return TRIED_OUT.some((category) => stream.startsWith(category));
}
