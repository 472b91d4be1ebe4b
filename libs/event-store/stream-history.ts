import { type Event, fold, type RecordedEvent } from '#lib/kernel';

/** A decider, or any other rules that fold a stream. */
interface Folding<State, E extends Event> {
  readonly initialState: State;
  evolve(this: void, state: State, event: RecordedEvent<E>): State;
}

interface Folded extends Folding<unknown, never> {
  readonly length: number;
  readonly state: unknown;
}

/** Foldings that are kept of one stream. Rules that make a new one for each call so cost no memory. */
const MOST_FOLDINGS = 8;

/** The newest state of each folding, up to the bound: the least recently used one is dropped first. */
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

/** Indexes and folded states of a stream, shared by its histories of every length and grown with the stream. */
class Known {
  readonly states = new States();
  /** Revisions of the first events of commands, by the command's id. */
  readonly firsts = new Map<string, number>();
  /** How many events `firsts` covers. */
  indexed = 0;
}

/** A stream from its first event on, and the states that were folded from it. It never changes. */
export class StreamHistory<E extends Event = Event> {
  /** The states at this length: others may have folded the stream further. */
  readonly #states = new States();

  /**
   * @param size of its events, in characters of their JSON text
   * @param known shared by all lengths of one stream
   * @param supposed how many events at its end are not in the log: nothing that is known of them is kept
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

  /** Up to this revision. Of several, the shortest first: states are folded on, and not back. */
  upTo(revision: number): StreamHistory<E> {
    const left = this.revision - revision;
    if (left <= 0) return this;
    const supposed = Math.max(0, this.supposed - left);
    return new StreamHistory(this.events.slice(0, revision + 1), this.size, this.known, supposed);
  }

  /** Folds only what came since the state was asked for last by this folding. Callers must not change the state. */
  state<State>({ initialState, evolve }: Folding<State, E>): State {
    const length = this.#certain;
    const rules = { initialState, evolve };
    const known = this.#states.of(rules) ?? this.known.states.of(rules);
    const before = known && known.length <= length ? known : { length: 0, state: initialState };
    const state = fold(rules, this.events.slice(before.length, length), before.state as State);
    for (const states of [this.#states, this.known.states]) states.keep({ length, state, ...rules });
    return fold(rules, this.events.slice(length), state);
  }

  /** The events that a command led to. */
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
