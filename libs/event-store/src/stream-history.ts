import { type Decider, type Event, fold, type RecordedEvent } from '#lib/kernel';

type Folding<State, E extends Event> = Pick<Decider<State, never, E>, 'initialState' | 'evolve'>;

interface Folded {
  readonly length: number;
  readonly state: unknown;
}

/** A stream from its first event on, and the states that were folded from it. It never changes. */
export class StreamHistory<E extends Event = Event> {
  /**
   * @param size of its events, in characters of their JSON text
   * @param folded the newest state of each `evolve`, shared by all lengths of one stream
   */
  constructor(
    readonly events: readonly RecordedEvent<E>[] = [],
    readonly size = 0,
    private readonly folded = new Map<unknown, Folded>(),
  ) {}

  /** Of its last event; -1 for a stream without events. */
  get revision(): number {
    return this.events.length - 1;
  }

  followedBy(events: readonly RecordedEvent<E>[], size: number): StreamHistory<E> {
    if (events.length === 0) return this;
    return new StreamHistory([...this.events, ...events], this.size + size, this.folded);
  }

  /** The history with these events appended. States folded from it are not kept for the stream. */
  supposing(events: readonly RecordedEvent<E>[]): StreamHistory<E> {
    return new StreamHistory([...this.events, ...events], this.size, new Map(this.folded));
  }

  /** Folds only what came since the state was asked for last. Callers must not change the state. */
  state<State>({ initialState, evolve }: Folding<State, E>): State {
    const { length } = this.events;
    const known = this.folded.get(evolve);
    const before = known && known.length <= length ? known : { length: 0, state: initialState };
    const state = fold({ initialState, evolve }, this.events.slice(before.length), before.state as State);
    if (!known || known.length < length) this.folded.set(evolve, { length, state });
    return state;
  }
}
