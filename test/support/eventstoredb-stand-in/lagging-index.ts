import { setTimeout } from 'node:timers/promises';
import {
  ChangeSignal,
  type EventStore,
  formatPosition,
  sequenceOf,
  type Position,
  type StoredEvent,
} from '#lib/event-store';

/**
 * A store as its readers see it. A server answers a conflict from what it has written, and reads from what it has indexed, which
 * comes later: an event is shown, and its append acknowledged, only then.
 */
export class LaggingIndex {
  readonly #pending: Position[] = [];
  readonly #arrivals = new ChangeSignal();

  constructor(
    private readonly store: EventStore,
    /** How long after it was written an event can be read. May be changed. */
    public lagMs: number,
  ) {}

  /** Resolves once what was written up to here can be read. @param first the first of the events written together */
  async indexed(first: Position): Promise<void> {
    if (this.lagMs > 0) {
      this.#pending.push(first);
      await setTimeout(this.lagMs, undefined, { ref: false });
      this.#pending.splice(this.#pending.indexOf(first), 1);
    }
    this.#arrivals.announce();
  }

  /** Whether readers see the event at this position. */
  shows(position: Position | undefined): boolean {
    return position === undefined || position < (this.#pending[0] ?? '~');
  }

  /** The store as readers see it. */
  view(): EventStore {
    const { store } = this;
    const shown = ({ position }: StoredEvent) => this.shows(position);
    const view: EventStore = {
      logId: store.logId,
      append: (...args) => store.append(...args),
      appendInOrder: (...args) => store.appendInOrder(...args),
      readStream: async (stream, { limit, ...options } = {}) =>
        this.#pending.length === 0
          ? store.readStream(stream, { ...options, ...(limit !== undefined && { limit }) })
          : (await store.readStream(stream, options)).filter(shown).slice(0, limit),
      readAll: async (options) => {
        const [hidden] = this.#pending;
        const backwards = options.direction === 'backwards' && hidden !== undefined;
        const from = backwards && (options.from ?? '~') > hidden ? { from: hidden } : {};
        return (await store.readAll({ ...options, ...from })).filter(shown);
      },
      head: async () => (await view.readAll({ direction: 'backwards', limit: 1 }))[0]?.position,
      subscribe: (after, signal) => this.#subscribe(after, signal),
      close: () => store.close(),
    };
    return view;
  }

  async *#subscribe(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[]> {
    for await (const batch of this.store.subscribe(after, signal)) {
      const last = batch.at(-1)?.position ?? '';
      while ((this.#pending[0] ?? '~') <= last && !signal.aborted) {
        await this.#arrivals.after(this.#arrivals.count, signal);
      }
      yield batch;
    }
  }
}

/** The place of the first of some events that were written together, where the store leaves no gaps. */
export function firstOf(logId: string, last: Position, count: number): Position {
  return formatPosition(logId, sequenceOf(logId, last) - BigInt(count - 1));
}
