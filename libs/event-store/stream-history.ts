import { type Event, fold, type RecordedEvent } from '#lib/kernel';

/** A decider, or other rules that fold a stream. */
interface Folding<State, E extends Event> {
  readonly initialState: State;
  evolve(this: void, state: State, event: RecordedEvent<E>): State;
}

interface Folded extends Folding<unknown, never> {
  readonly length: number;
  readonly state: unknown;
}

/** The most foldings that are kept of one stream, so that rules that make a new folding for each call cost no memory. */
const MOST_FOLDINGS = 8;

/** The newest state of each folding. Over the bound, the least recently used one is dropped first. */
class States {
  #kept: readonly Folded[] = [];

  of({ initialState, evolve }: Folding<unknown, never>): Folded | undefined {
    return this.#kept.find((kept) => kept.evolve === evolve && kept.initialState === initialState);
  }

  keep(folded: Folded): void {
    const known = this.of(folded);
    if (known && known.length >= folded.length) return;
    this.#kept = [...this.#kept.filter((kept) => kept !== known), folded].slice(-MOST_FOLDINGS);
  }
}

/** The indexes and folded states of a stream. Its histories of every length share them, and they grow with the stream. */
class Known {
  readonly states = new States();
  /** The revisions of the first events of commands, by the command's id. */
  readonly firsts = new Map<string, number>();
  /** The number of events that `firsts` covers. */
  indexed = 0;
}

/** A stream from its first event on, and the states that were folded from it. It never changes. */
export class StreamHistory<E extends Event = Event> {
  /** The states at this length. In `known`, others may have folded the stream further. */
  readonly #states = new States();

  /**
   * @param size of its events, in characters of their JSON text
   * @param known shared by all lengths of one stream
   * @param supposed the number of events at its end that are not in the log; they are not indexed, and their states are not kept
   */
  constructor(
    readonly events: readonly RecordedEvent<E>[] = [],
    readonly size = 0,
    private readonly known = new Known(),
    private readonly supposed = 0,
  ) {}

  /** The revision of its last event; -1 for a stream without events. */
  get revision(): number {
    return this.events.length - 1;
  }

  get #certain(): number {
    return this.events.length - this.supposed;
  }

  followedBy(events: readonly RecordedEvent<E>[], size: number): StreamHistory<E> {
    if (events.length === 0) return this;
    return new StreamHistory([...this.events, ...events], this.size + size, this.known);
  }

  /** The history with these events appended. */
  supposing(events: readonly RecordedEvent<E>[]): StreamHistory<E> {
    return new StreamHistory([...this.events, ...events], this.size, this.known, events.length);
  }

  /** The history up to this revision. Ask for the shortest one first: states are only folded forward. */
  upTo(revision: number): StreamHistory<E> {
    const left = this.revision - revision;
    if (left <= 0) return this;
    const supposed = Math.max(0, this.supposed - left);
    return new StreamHistory(this.events.slice(0, revision + 1), this.size, this.known, supposed);
  }

  /** Folds only the events since this folding asked for the state last. Callers must not change the state. */
  state<State>({ initialState, evolve }: Folding<State, E>): State {
    const length = this.#certain;
    const rules = { initialState, evolve };
    const known = this.#states.of(rules) ?? this.known.states.of(rules);
    const before = known && known.length <= length ? known : { length: 0, state: initialState };
    const state = fold(rules, this.events.slice(before.length, length), before.state as State);
    for (const states of [this.#states, this.known.states]) states.keep({ length, state, ...rules });
    return fold(rules, this.events.slice(length), state);
  }

  ofCommand(commandId: string): readonly RecordedEvent<E>[] {
    const since = this.events.slice(this.#firstOf(commandId) ?? this.#certain);
    return since.filter(({ metadata }) => metadata.commandId === commandId);
  }

  #firstOf(commandId: string): number | undefined {
    const { known, events } = this;
    for (; known.indexed < this.#certain; known.indexed++) {
      const id = events[known.indexed]?.metadata.commandId;
      if (id !== undefined && !known.firsts.has(id)) known.firsts.set(id, known.indexed);
    }
    return known.firsts.get(commandId);
  }
}
