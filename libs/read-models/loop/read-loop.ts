import { setImmediate } from 'node:timers/promises';
import type { EventLog, Position } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { checkCheckpoint } from '../runner/checkpoints.js';
import { LogEvent, type LogReader } from '../runner/log-reader.js';
import { pause } from '../runner/pause.js';
import { ProjectionLoop } from '../runner/projection-loop.js';
import {
  type ProjectionFailure,
  type ProjectionStatus,
  projectionStatus,
} from '../runner/projection-status.js';
import { behindAt, waitUntilReached } from '../runner/wait-for-position.js';
import type { ReadStore } from '../store/read-store.js';
import { typesFolded } from './declare.js';
import { FoldTaker, type LoopModels } from './fold-taker.js';
import { createLoops, firstSlot, type LoopPlace, placesOf, secondSlot, serveInstead } from './loop-tables.js';
import type { SlotName } from './slot.js';
import { failureOf, firstOf, stillAt, StreamStandsStill } from './still-rows.js';

interface Parts {
  readonly log: EventLog;
  readonly store: ReadStore;
  /** Shared with others that follow the log. */
  readonly reader: LogReader;
  readonly holder: LeaseHolder | undefined;
  readonly onAhead: () => void;
  readonly onStopped: (name: string, failure: ProjectionFailure) => void;
  readonly onStandsStill: (failure: ProjectionFailure) => void;
}

/** A table does not end in the version of its loop: another build may fill a table of its name. A bug. */
export class TableWithoutVersion extends RedialError {}

function checkVersions({ version, models }: LoopModels): void {
  const tables = models.flatMap(({ kinds }) => kinds.map(({ table }) => table.name));
  const wrong = tables.find((name) => !name.endsWith(`_v${version}`));
  if (wrong === undefined) return;
  const fix =
    'Raise the version of the loop with each change of a table or of a fold, in the names of all tables';
  throw new TableWithoutVersion(`table ${wrong}`, `the loop that fills it has version ${version}`, fix);
}

/** How often a loop looks whether rows are to be filled again. */
const LOOK_MS = 1000;
/** Events of a page that nobody waits for. */
const FILLING_PAGE = 2048;

/** Keeps the rows of models up to the log, all in one loop, and fills them again beside those that are read. */
export class ReadLoop {
  readonly #served: FoldTaker;
  readonly #loop: ProjectionLoop<FoldTaker>;
  readonly #ending = new AbortController();
  /** Ends the pause before the next look. */
  #look = new AbortController();

  constructor(
    private readonly models: LoopModels,
    private readonly parts: Parts,
  ) {
    checkVersions(models);
    this.#served = new FoldTaker(models, 'served', parts);
    this.#loop = new ProjectionLoop(this.#served, parts);
  }

  get names(): readonly string[] {
    return this.models.models.map(({ name }) => name);
  }

  get isAhead(): boolean {
    return this.#served.isAhead;
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** @param name of one of its models */
  typesTakenBy(name: string): readonly string[] | undefined {
    const model = this.models.models.find((one) => one.name === name);
    return model && typesFolded(model);
  }

  /** Creates missing tables. @throws CheckpointMismatch when the rows are of another log; StoreUnavailable */
  async prepare(): Promise<void> {
    const { store, log } = this.parts;
    await store.write(createLoops);
    if (!(await this.#places()).served)
      await store.write(firstSlot(this.#served.name, this.#served.slot('a')));
    const { served, filling } = await this.#places();
    const head = await log.store.head();
    for (const place of [served, filling]) {
      if (place) checkCheckpoint({ ...this.#checkpoint(place), name: this.models.name }, log.store, head);
    }
  }

  /** Resolves once it was stopped. */
  async run(): Promise<void> {
    await Promise.all([this.#loop.run(), this.#fillWhenAsked()]);
  }

  stop(): void {
    this.#ending.abort();
    this.#look.abort();
    this.#loop.stop();
  }

  /** Tries at once what is tried again later. */
  retry(): void {
    this.#loop.interrupt();
  }

  /** Stores the place in the log that was moved in memory. @throws StoreUnavailable */
  store(): Promise<void> {
    return this.#served.store();
  }

  /** Fills all rows again beside those that are read, which change nothing until then. Resolves once that has begun. */
  async rebuild(): Promise<void> {
    const { served } = await this.#places();
    const other = served?.slot === 'a' ? 'b' : 'a';
    const head = (await this.parts.log.store.head()) ?? '';
    await this.parts.store.write(secondSlot(this.#served.name, this.#served.slot(other), head));
    this.#look.abort();
  }

  /** One for each model. */
  async status(head: string | undefined): Promise<readonly ProjectionStatus[]> {
    const { served, filling } = await this.#places();
    if (!served) return [];
    const reached = this.#reachedWith(served.position);
    const failure = this.#loop.failure ?? (await this.#firstStill(served));
    return this.names.map((name) => {
      const place = { ...this.#checkpoint(served), name, position: reached };
      const status = projectionStatus(place, this.parts.log.store, head, this.#loop.failure);
      const isFilling = filling !== undefined && status.status !== 'stopped';
      return { ...status, ...(isFilling && { status: 'rebuilding' }), ...(failure && { error: failure }) };
    });
  }

  /** @throws StreamStandsStill if rows of this stream stand still */
  async checkStream(stream: string): Promise<void> {
    const count = this.#served.standingStill ?? (await this.#places()).served?.standingStill ?? 0;
    const found = count > 0 ? await stillAt(this.parts.store.db, stream) : undefined;
    if (found) throw new StreamStandsStill(found);
  }

  /** Resolves once the rows have the event at this position. @throws ProjectionBehind */
  waitFor(names: readonly string[], position: string, timeoutMs: number): Promise<void> {
    const isNear = () => this.#served.reached >= position;
    const behind = async () => {
      if (isNear()) return [];
      const reached = this.#reachedWith((await this.#places()).served?.position ?? '');
      if (reached >= position) return [];
      return names.map((name) => behindAt(name, reached, position, this.#loop.refusal));
    };
    return waitUntilReached(this.parts.store, { isNear, behind }, position, timeoutMs);
  }

  #places() {
    return placesOf(this.parts.store.db, this.#served.name);
  }

  /** Places only move forward: rows that are filled again are served once they have come as far. */
  #reachedWith(stored: string): string {
    return this.#served.reached > stored ? this.#served.reached : stored;
  }

  #checkpoint({ position, fillingUntil }: LoopPlace) {
    return { name: '', version: this.models.version, position, rebuilding_until: fillingUntil };
  }

  async #firstStill({ standingStill }: LoopPlace): Promise<ProjectionFailure | undefined> {
    const first = standingStill > 0 ? await firstOf(this.parts.store.db) : undefined;
    return first && failureOf(first, standingStill);
  }

  async #fillWhenAsked(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#look = new AbortController();
      const { filling } = await this.#places().catch(() => ({ filling: undefined }));
      // What fails is tried again: the place is stored with each page.
      if (filling) await this.#fill(signal).catch(() => undefined);
      await pause(LOOK_MS, this.#look.signal);
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { holder, log, store } = this.parts;
    const taker = new FoldTaker(this.models, 'filling', { log, store });
    const fill = () => this.#fillWith(taker, signal);
    if (holder) await underLease(holder, taker.lease, fill);
    else await fill();
  }

  async #fillWith(taker: FoldTaker, signal: AbortSignal): Promise<void> {
    await taker.load();
    while (!signal.aborted && taker.place) {
      const page = await this.#pageAfter(taker.reached);
      if (page.length > 0 && !(await taker.take(page))) return;
      await setImmediate();
      if (page.length === 0 && (await this.#serveInstead(taker))) return;
    }
  }

  async #pageAfter(position: string): Promise<readonly LogEvent[]> {
    const { log } = this.parts;
    const from = position === '' ? {} : { from: position as Position };
    const found = await log.store.readAll({ limit: FILLING_PAGE, ...from });
    return found.map((stored) => new LogEvent(stored, log));
  }

  /** False if the rows that are read have come further since. */
  async #serveInstead(taker: FoldTaker): Promise<boolean> {
    await taker.store();
    const { served } = await this.#places();
    const { place } = taker;
    if (!served || !place) return true;
    const old = { place: served, slot: taker.slot(served.slot as SlotName) };
    const filled = { place, slot: taker.slot(place.slot as SlotName) };
    return this.parts.store.write(serveInstead(old, filled));
  }
}
