import type { EventLog, Position } from '#lib/event-store';
import type { LeaseHolder } from '#lib/workflow';
import { checkPlace, type StoredPlace } from '../runner/stored-place.js';
import type { LogReader } from '../runner/log-reader.js';
import { ProjectionLoop } from '../runner/projection-loop.js';
import {
  type ProjectionFailure,
  type ProjectionStatus,
  projectionStatus,
} from '../runner/projection-status.js';
import { behindAt, ProjectionBehind, waitUntilReached } from '../runner/wait-for-position.js';
import type { ReadStore } from '../store/read-store.js';
import { type LoopModels, shows, typesFolded } from './declare.js';
import { Filling } from './filling.js';
import { checkVersions, ROWS_VERSION } from './folded-table.js';
import { standingStillIn } from './standing-still.js';
import { FoldTaker } from './fold-taker.js';
import { createLoops, firstSlot, type LoopPlace, placesOf, secondSlot } from './loop-tables.js';
import { serveViews } from '../views/analyst-views.js';
import { failureOf, firstOf, stillAt, stillStreams, StreamStandsStill } from './still-rows.js';

interface StillStream {
  readonly stream: string;
  readonly category: string;
  readonly id: string;
}

/** Chooses one of these streams that the caller is concerned with. It gets all that stand still in one call, and at least one. */
export type Which = (
  still: readonly StillStream[],
) => StillStream | undefined | Promise<StillStream | undefined>;

interface Parts {
  readonly log: EventLog;
  readonly store: ReadStore;
  /** Shared by all loops of the process. */
  readonly reader: LogReader;
  readonly holder: LeaseHolder | undefined;
  readonly onAhead: () => void;
  readonly onStopped: (name: string, failure: ProjectionFailure) => void;
  readonly onStandsStill: (failure: ProjectionFailure) => void;
}

/** Keeps the rows of models up to date with the log, in one loop, and rebuilds them beside the served ones. */
export class ReadLoop {
  readonly #served: FoldTaker;
  readonly #loop: ProjectionLoop;
  readonly #filling: Filling;
  /** The head of the log when this process began. */
  #headAtStart = '';
  #servesViews = false;
  /** The last event that may have been held back when a caller came. */
  #settlesAt: Position | undefined;

  constructor(
    private readonly models: LoopModels,
    private readonly parts: Parts,
  ) {
    checkVersions(models.models, this.#version);
    this.#served = new FoldTaker(models, 'served', parts);
    this.#loop = new ProjectionLoop(this.#served, parts);
    this.#filling = new Filling(models, parts);
  }

  get names(): readonly string[] {
    return this.models.models.map(({ name }) => name);
  }

  get isApart(): boolean {
    return this.models.stopsAtErrors === true;
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

  /** Creates missing tables. @throws CheckpointMismatch if the rows are of another log; StoreUnavailable */
  async prepare(): Promise<void> {
    const { store, log } = this.parts;
    await store.write(createLoops);
    if (!(await this.#places()).served) {
      const until = await log.store.head();
      await store.write(firstSlot(this.#served.name, this.#served.slot('a'), until));
    }
    const { served, filling } = await this.#places();
    const head = await log.store.head();
    this.#headAtStart = head ?? '';
    for (const place of [served, filling]) {
      if (place) checkPlace(this.#placeOf(place), log.store, head);
    }
  }

  /**
   * Makes the views for analysts over these rows, once these have reached the head of the log at this process's start: views over
   * another version stay until then.
   * @throws StoreUnavailable
   */
  async serveViews(): Promise<void> {
    const { datasets } = this.models;
    if (!datasets || this.#servesViews || this.#served.reached < this.#headAtStart) return;
    await serveViews(this.parts.store, datasets);
    this.#servesViews = true;
  }

  /** Resolves after `stop`. */
  async run(): Promise<void> {
    await Promise.all([this.#loop.run(), this.#filling.run()]);
  }

  stop(): void {
    this.#filling.stop();
    this.#loop.stop();
  }

  /** Retries at once after a failure. */
  retry(): void {
    this.#loop.interrupt();
    this.#filling.look();
  }

  /** Stores a place that was moved in memory. @throws StoreUnavailable */
  store(): Promise<void> {
    return this.#served.store();
  }

  /**
   * Fills all rows again beside the served ones, from the start of the log. An earlier unfinished filling is dropped. Resolves
   * once filling is requested.
   */
  async rebuild(): Promise<void> {
    const { served } = await this.#places();
    const other = served?.slot === 'a' ? 'b' : 'a';
    const head = (await this.parts.log.store.head()) ?? '';
    const isKept = await this.parts.store.write(
      secondSlot(this.#served.name, this.#served.slot(other), head),
    );
    // Meanwhile that slot became the served one.
    if (!isKept) return this.rebuild();
    this.#filling.look();
  }

  /** Whether rows are being rebuilt, by this process or another one. @throws StoreUnavailable */
  async isFilling(): Promise<boolean> {
    return (await this.#places()).filling !== undefined;
  }

  /** The head of the log when the filling of the served rows began; "" for the past. @throws StoreUnavailable */
  async filledSince(): Promise<string> {
    return (await this.#places()).served?.fillingUntil ?? '';
  }

  /** The failure that delays a requested rebuild. */
  get fillingFailure(): ProjectionFailure | undefined {
    return this.#filling.failure;
  }

  /** A status for each model. */
  async status(head: string | undefined): Promise<readonly ProjectionStatus[]> {
    const { served, filling } = await this.#places();
    if (!served) return [];
    const reached = this.#reachedWith(served.position);
    const isNotFilled = filling && this.fillingFailure;
    const failure = this.#loop.failure ?? isNotFilled ?? (await this.#firstStill(served));
    return this.names.map((name) => {
      const place = { ...this.#placeOf(served), name, position: reached };
      const status = projectionStatus(place, this.parts.log.store, head, this.#loop.failure);
      const isFilling = filling !== undefined && status.status !== 'stopped';
      return { ...status, ...(isFilling && { status: 'rebuilding' }), ...(failure && { error: failure }) };
    });
  }

  /** @throws StreamStandsStill if rows of this stream stand still */
  async checkStream(stream: string): Promise<void> {
    const found = (await this.#hasStill())
      ? await stillAt(this.parts.store.db, this.#still, stream)
      : undefined;
    if (found) throw new StreamStandsStill(found);
  }

  /** @throws StreamStandsStill if one of the streams of these models stands still: its rows may be missing */
  async checkWhole(names: readonly string[], which: Which = ([first]) => first): Promise<void> {
    const still = await this.#stillOf(names);
    const found = still.length > 0 ? await which(still) : undefined;
    if (!found) return;
    await this.checkStream(found.stream);
    // That stream no longer stands still; another may.
    await this.checkWhole(names, which);
  }

  /** The number of streams of these models that stand still: their rows in lists are missing or old. */
  async standingStillOf(names: readonly string[]): Promise<number> {
    return (await this.#stillOf(names)).length;
  }

  async #stillOf(names: readonly string[]): Promise<readonly StillStream[]> {
    const models = this.models.models.filter(({ name }) => names.includes(name));
    if (models.length === 0 || !(await this.#hasStill())) return [];
    const all = await stillStreams(this.parts.store.db, this.#still);
    return all.flatMap((stream) => {
      const named = this.parts.log.streams.parse(stream);
      return named && models.some((model) => shows(model, named.category)) ? [{ stream, ...named }] : [];
    });
  }

  async #hasStill(): Promise<boolean> {
    return (this.#served.standingStill ?? (await this.#places()).served?.standingStill ?? 0) > 0;
  }

  /**
   * The last position at which rows of this model may have changed.
   * @returns `undefined` if this process does not fold new events itself, or has not reached the position `needed`
   */
  changedAt(name: string, needed: string): string | undefined {
    const types = this.typesTakenBy(name);
    const isKnown = this.#loop.follows && this.#served.reached >= needed;
    return types && isKnown ? this.#served.lastOf(types) : undefined;
  }

  /**
   * Folds events at once for a while. If events may have been held back, this call and all later ones resolve once the rows have
   * all events that this process had appended by then, or after `mostMs`.
   */
  async settle(mostMs: number): Promise<void> {
    this.#hurry();
    if (this.#settlesAt === undefined) return;
    await this.waitFor(this.names, this.#settlesAt, mostMs).catch((error: unknown) => {
      if (!(error instanceof ProjectionBehind)) throw error;
    });
  }

  #hurry(): void {
    if (this.#loop.hurry()) this.#settlesAt = this.parts.log.appendedTo;
  }

  /** Resolves once the rows have the event at this position. @throws ProjectionBehind */
  async waitFor(names: readonly string[], position: string, timeoutMs: number): Promise<void> {
    const isNear = () => this.#served.reached >= position;
    if (isNear()) return;
    const behind = async () => {
      if (isNear()) return [];
      const reached = this.#reachedWith((await this.#places()).served?.position ?? '');
      if (reached >= position) return [];
      return names.map((name) => behindAt(name, reached, position, this.#loop.refusal));
    };
    this.#hurry();
    await waitUntilReached(this.parts.store, { isNear, behind }, position, timeoutMs);
  }

  #places() {
    return placesOf(this.parts.store.db, this.#served.name);
  }

  /** Places only grow: filled rows are served once they have reached the place of the served ones. */
  #reachedWith(stored: string): string {
    return this.#served.reached > stored ? this.#served.reached : stored;
  }

  #placeOf({ position }: LoopPlace): StoredPlace {
    return { name: this.models.name, version: this.#version, position };
  }

  get #version(): number {
    return this.models.version ?? ROWS_VERSION;
  }

  get #still() {
    return standingStillIn(this.models).table;
  }

  async #firstStill({ standingStill }: LoopPlace): Promise<ProjectionFailure | undefined> {
    const first = standingStill > 0 ? await firstOf(this.parts.store.db, this.#still) : undefined;
    return first && failureOf(first, standingStill);
  }
}
