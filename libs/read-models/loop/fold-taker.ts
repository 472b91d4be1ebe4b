import { type EventLog, LastOfTypes, StoreUnavailable } from '#lib/event-store';
import { EventNotProjected } from '../runner/event-not-projected.js';
import type { EventTaker } from '../runner/event-taker.js';
import type { LogEvent } from '../runner/log-reader.js';
import type { ReadStore } from '../store/read-store.js';
import { recordOf } from '../store/table.js';
import type { LoopModels } from './declare.js';
import { PageFold } from './fold-page.js';
import { ROWS_VERSION } from './folded-table.js';
import { isSamePlace, type LoopPlace, moveTo, placesOf } from './loop-tables.js';
import { pagesOf } from './pages-of.js';
import { failuresOf } from './still-rows.js';
import type { ProjectionFailure } from '../runner/projection-status.js';
import { Plans } from './plans.js';
import { tableIn } from './record-codec.js';
import { Slot, type SlotName } from './slot.js';
import { Still, standingStillIn } from './standing-still.js';

interface Parts {
  readonly log: EventLog;
  readonly store: ReadStore;
  /** Called when only the place in memory moves. */
  readonly onAhead?: () => void;
  /** Called once for each stream that begins to stand still, and once in a page for all that lack a key. */
  readonly onStandsStill?: (failure: ProjectionFailure) => void;
}

/**
 * Fills the rows of all models in one slot. Each event is decoded once for all folds, and each page is one transaction with one
 * place in the log. Events without changes move only the place in memory; it is stored with the next changes, or by `store`.
 */
export class FoldTaker implements EventTaker {
  readonly name: string;
  readonly lease: string;
  readonly still = new Still();
  readonly #standingStill: ReturnType<typeof standingStillIn>;
  readonly #plans: Plans;
  readonly #slots = new Map<SlotName, Slot>();
  #stored: LoopPlace | undefined;
  #reached = '';
  #number = 0;
  readonly #lastOfTypes = new LastOfTypes();
  /** Another process has taken a page: the place is checked before the work of the next one. */
  #isContested = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @param which `filling`: the slot beside the served one */
  constructor(
    private readonly loop: LoopModels,
    private readonly which: 'served' | 'filling',
    private readonly parts: Parts,
  ) {
    this.name = `${loop.name} v${loop.version ?? ROWS_VERSION}`;
    this.#standingStill = standingStillIn(loop);
    this.lease = `read loop ${this.name}${which === 'served' ? '' : ' filling'}`;
    this.#plans = new Plans(loop.models);
  }

  get reached(): string {
    return this.#reached;
  }

  get isAhead(): boolean {
    return this.#stored !== undefined && this.#reached > this.#stored.position;
  }

  /** The place that this process has stored or loaded; `undefined` before `load`. */
  get place(): LoopPlace | undefined {
    return this.#stored;
  }

  /** The number of streams that stand still; `undefined` while this process takes no events. */
  get standingStill(): number | undefined {
    return this.#reached === '' ? undefined : this.still.count;
  }

  /** The last position, of the taken events, at which an event of these types may be. */
  lastOf(types: readonly string[]): string | undefined {
    return this.#lastOfTypes.of(types);
  }

  slot(name: SlotName): Slot {
    const kinds = [this.#standingStill, ...this.loop.models.flatMap((model) => model.kinds)];
    const slot = this.#slots.get(name) ?? new Slot(name, kinds);
    this.#slots.set(name, slot);
    return slot;
  }

  load(): Promise<void> {
    return this.#inTurn(async () => {
      const { [this.which]: place } = await placesOf(this.parts.store.db, this.name);
      if (place && isSamePlace(place, this.#stored) && this.#reached !== '') return;
      this.#forget();
      // Another process may have erased a subject since.
      this.parts.log.keys.forgetAll();
      this.#stored = place;
      this.#reached = place?.position ?? '';
      this.#lastOfTypes.begin(this.#reached);
      this.#number = place?.number ?? 0;
      if (place) this.still.replace(await this.#stillIn(place.slot as SlotName));
    });
  }

  forget(): void {
    this.#reached = '';
  }

  /** Waits for the transactions of other takers of the same page, so that the page is read once for all. */
  async pageTaken(): Promise<void> {
    if (this.parts.store.sharesTransactions) await this.parts.store.write([]);
  }

  async take(page: readonly LogEvent[]): Promise<boolean> {
    try {
      const isTaken = !(this.#isContested && (await this.#hasMoved())) && (await this.#takeEach(page));
      if (!isTaken) this.#drop();
      return isTaken;
    } catch (error) {
      // The events before it are stored.
      if (error instanceof EventNotProjected) throw error;
      // The page may or may not be stored, so memory matches neither state.
      const isElsewhere = await this.#hasMoved().catch(() => false);
      this.#drop();
      if (isElsewhere) return false;
      throw error;
    }
  }

  /** Stores a place that was moved in memory. @throws StoreUnavailable */
  async store(): Promise<void> {
    await this.#inTurn(async () => !this.isAhead || this.#write(this.#reached, this.#number, []));
  }

  async #takeEach(page: readonly LogEvent[]): Promise<boolean> {
    for (const events of pagesOf(page)) {
      if (!(await this.#inTurn(() => this.#takeBefore(events)))) return false;
    }
    return true;
  }

  /** Stores the events before an event of a newer build, then throws. @throws EventNotProjected | StoreUnavailable */
  async #takeBefore(events: readonly LogEvent[]): Promise<boolean> {
    try {
      return await this.#take(events);
    } catch (error) {
      if (!(error instanceof EventNotProjected)) throw error;
      this.#undo();
      const end = events.findIndex(({ stored }) => stored === error.event);
      // After `#oneByOne` some of them may be stored already.
      const before = events.slice(0, end).filter(({ stored }) => stored.position > this.#reached);
      if (before.length > 0 && !(await this.#take(before))) return false;
      throw error;
    }
  }

  async #take(events: readonly LogEvent[]): Promise<boolean> {
    if (!this.#stored) return false;
    const refused = new Map<string, unknown>();
    for (;;) {
      const found = (await this.#fold(events, refused)) ?? (await this.#keep(events));
      if (typeof found === 'boolean') return found;
      this.#undo();
      const { stored } = found.event ?? events[0] ?? {};
      if (stored && found.event && this.loop.stopsAtErrors)
        throw new EventNotProjected(this.loop.name, stored, found.error);
      // A second refused event of a page, or an error that only the store found: each event is taken alone.
      if (events.length > 1 && (refused.size > 0 || !found.event)) return this.#oneByOne(events);
      if (!stored || refused.has(stored.position)) throw found.error;
      refused.set(stored.position, found.error);
    }
  }

  async #oneByOne(events: readonly LogEvent[]): Promise<boolean> {
    for (const event of events) if (!(await this.#take([event]))) return false;
    return true;
  }

  #fold(events: readonly LogEvent[], refused: ReadonlyMap<string, unknown>) {
    const { log, store } = this.parts;
    const slot = this.#servedSlot();
    const stopsAtErrors = this.loop.stopsAtErrors && this.loop.name;
    const fold = new PageFold({
      log,
      db: store.db,
      plans: this.#plans,
      slot,
      still: this.still,
      stopsAtErrors,
    });
    return fold.fold(events, this.#number + 1, refused);
  }

  /** @returns true once the page is stored, false if another process was first, or the error of the store or of the row codec */
  async #keep(
    events: readonly LogEvent[],
  ): Promise<boolean | { readonly event?: undefined; readonly error: unknown }> {
    const slot = this.#servedSlot();
    const to = events.at(-1)?.stored.position ?? this.#reached;
    try {
      for (const one of this.still.added) slot.add(this.#standingStill, one);
      const kept = await this.#write(to, this.#number + events.length, slot.changes());
      if (!kept) return false;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      return { error };
    }
    slot.kept();
    for (const { stored } of events) this.#lastOfTypes.note(stored.type, stored.position);
    for (const failure of failuresOf(this.still.added)) this.parts.onStandsStill?.(failure);
    this.still.kept();
    return true;
  }

  async #write(to: string, number: number, changes: ReturnType<Slot['changes']>): Promise<boolean> {
    const { store, onAhead = () => undefined } = this.parts;
    const from = this.#stored;
    if (!from) return false;
    if (changes.length > 0 || to === this.#reached) {
      const moved = { position: to, number, standingStill: this.still.count };
      const isKept = await store.write([moveTo(from, moved), ...changes]);
      this.#isContested = !isKept;
      if (!isKept) return false;
      this.#stored = { ...from, ...moved };
    }
    [this.#reached, this.#number] = [to, number];
    // The store announces its commit before `#reached` is set.
    store.arrivals.announce();
    if (this.isAhead) onAhead();
    return true;
  }

  async #hasMoved(): Promise<boolean> {
    const { [this.which]: place } = await placesOf(this.parts.store.db, this.name);
    return !isSamePlace(place, this.#stored);
  }

  async #stillIn(slot: SlotName) {
    const rows = await this.parts.store.db
      .withTables<Record<string, Record<string, never>>>()
      .selectFrom(tableIn(slot, this.#standingStill.table.name))
      .selectAll()
      .execute();
    return rows.map((row) => recordOf(this.#standingStill.table, row));
  }

  #servedSlot(): Slot {
    return this.slot((this.#stored?.slot ?? 'a') as SlotName);
  }

  #undo(): void {
    this.#servedSlot().undone();
    this.still.undone();
  }

  #drop(): void {
    this.#forget();
    this.forget();
  }

  #forget(): void {
    for (const slot of this.#slots.values()) slot.forget();
    this.still.replace([]);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
