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

/** The pause between two looks for a requested rebuild. */
const LOOK_MS = 1000;

/** Fills all rows again in the slot beside the served one, after a rebuild has made its tables. */
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

  /** The failure that delays a requested rebuild. It is retried; the place is stored with each page. */
  get failure(): ProjectionFailure | undefined {
    return this.#failures.last;
  }

  /** Resolves after `stop`. Never rejects. */
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
    // If the store is unavailable, the loop of the served slot reports it.
    if (!places) return;
    const fill = () => this.#fill(taker, signal);
    if (places.filling && !holder) return fill();
    const isOurs = places.filling && holder && (await underLease(holder, taker.lease, fill));
    // Without the lease the failures of this process are over: another process counts its own.
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
      // A new rebuild was requested meanwhile: the filled tables are dropped.
      await taker.load();
    }
  }

  /**
   * False if filling cannot continue from here. If the served rows stop at the same event, the filled ones are served: waiting
   * would keep erased content in the served rows.
   * @throws EventNotProjected if the served rows are past this event
   */
  async #take(taker: FoldTaker, page: readonly LogEvent[]): Promise<boolean> {
    try {
      return await taker.take(page);
    } catch (error) {
      if (error instanceof EventNotProjected && (await this.#serveInstead(taker))) return false;
      throw error;
    }
  }

  /** False if the served rows are further by now, or the filled tables were dropped. */
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
