import { setImmediate } from 'node:timers/promises';
import type { EventLog } from '#lib/event-store';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { EventNotProjected } from '../runner/event-not-projected.js';
import { Failures } from '../runner/failures.js';
import { type LogEvent, readPage } from '../runner/log-reader.js';
import { pause } from '../runner/pause.js';
import type { ProjectionFailure } from '../runner/projection-status.js';
import type { ReadStore } from '../store/read-store.js';
import { viewsOf } from '../views/analyst-views.js';
import type { LoopModels } from './declare.js';
import { FoldTaker } from './fold-taker.js';
import { placesOf, serveInstead } from './loop-tables.js';
import type { SlotName } from './slot.js';

interface Parts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly holder: LeaseHolder | undefined;
  readonly onStopped: (name: string, failure: ProjectionFailure) => void;
}

/** How often it looks whether rows are to be filled again. */
const LOOK_MS = 1000;

/** Fills all rows again in the slot beside the one that is read, once a rebuild has made it. */
export class Filling {
  readonly #failures: Failures;
  readonly #ending = new AbortController();
  /** Ends the pause before the next look. */
  #look = new AbortController();

  constructor(
    private readonly models: LoopModels,
    private readonly parts: Parts,
  ) {
    const { lease } = this.#newTaker();
    this.#failures = new Failures((failure) => parts.onStopped(lease, failure));
  }

  /** Why rows are not filled again although that was asked for. It is tried again; the place is stored with each page. */
  get failure(): ProjectionFailure | undefined {
    return this.#failures.last;
  }

  /** Resolves once it was stopped. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#look = new AbortController();
      await pause(await this.#turn(signal), this.#look.signal);
    }
  }

  /** Looks at once. */
  look(): void {
    this.#look.abort();
  }

  stop(): void {
    this.#ending.abort();
    this.look();
  }

  /** @returns milliseconds until the next turn */
  async #turn(signal: AbortSignal): Promise<number> {
    try {
      await this.#fillIfAsked(signal);
      return LOOK_MS;
    } catch (error) {
      return signal.aborted ? 0 : Math.max(LOOK_MS, this.#failures.add(error));
    }
  }

  async #fillIfAsked(signal: AbortSignal): Promise<void> {
    const { holder, store } = this.parts;
    const taker = this.#newTaker();
    const places = await placesOf(store.db, taker.name).catch(() => undefined);
    // If the store is unavailable, the loop in use reports it.
    if (!places) return;
    const fill = () => this.#fill(taker, signal);
    if (places.filling && !holder) return fill();
    const isOurs = places.filling && holder && (await underLease(holder, taker.lease, fill));
    // If this process fills no rows, its failures are over: a process that fills them counts its own.
    if (!isOurs) this.#failures.wentWell();
  }

  #newTaker(): FoldTaker {
    const { log, store } = this.parts;
    return new FoldTaker(this.models, 'filling', { log, store });
  }

  async #fill(taker: FoldTaker, signal: AbortSignal): Promise<void> {
    await taker.load();
    while (!signal.aborted && taker.place) {
      const page = await readPage(this.parts.log, taker.reached);
      if (page.length > 0) {
        if (!(await this.#take(taker, page))) return;
        this.#failures.wentWell();
      }
      await setImmediate();
      if (page.length > 0) continue;
      if (await this.#serveInstead(taker)) return;
      // Since then the rebuild was asked for again, and what this process has filled is gone.
      await taker.load();
    }
  }

  /**
   * False if it does not go on from here: also where the rows that are read stop at the same event, and the filled ones are served. To
   * wait for it would keep what was erased in the rows that are read.
   * @throws EventNotProjected if those that are read have come further
   */
  async #take(taker: FoldTaker, page: readonly LogEvent[]): Promise<boolean> {
    try {
      return await taker.take(page);
    } catch (error) {
      if (error instanceof EventNotProjected && (await this.#serveInstead(taker))) return false;
      throw error;
    }
  }

  /** False if the rows that are read have come further since, or the filled ones are gone. */
  async #serveInstead(taker: FoldTaker): Promise<boolean> {
    await taker.store();
    const { served } = await placesOf(this.parts.store.db, taker.name);
    const { place } = taker;
    if (!served || !place) return true;
    const old = { place: served, slot: taker.slot(served.slot as SlotName) };
    const filled = { place, slot: taker.slot(place.slot as SlotName) };
    const { store } = this.parts;
    return store.write(serveInstead(old, filled, viewsOf(store, this.models.datasets ?? [])));
  }
}
