import { type EventLog, parsePosition } from '#lib/event-store';
import { RedialError, thrownText } from '#lib/kernel';
import type { LeaseHolder } from '#lib/workflow';
import type { LoopModels } from '../loop/declare.js';
import { ReadLoop, type Which } from '../loop/read-loop.js';
import type { ReadStore } from '../store/read-store.js';
import { LogReader } from './log-reader.js';
import { pause } from './pause.js';
import type { ProjectionFailure, ProjectionStatus } from './projection-status.js';

/** No read model has this name. */
export class UnknownProjection extends RedialError {}

interface RunnerParts {
  /** With it, one process at a time fills the rows of a loop. */
  readonly holder?: LeaseHolder | undefined;
  readonly onStopped?: (name: string, failure: ProjectionFailure) => void;
  /** Called once for each stream that begins to stand still. */
  readonly onStandsStill?: (failure: ProjectionFailure) => void;
  /** Called once for each time that the views for analysts cannot be made. */
  readonly onViewsFailed?: (why: string) => void;
}

/** The most time that `stop` spends on held-back events. */
const STOP_MS = 1000;
/** The interval at which places moved in memory are stored. */
const PLACES_MS = 1000;
/** The same if other machines wait for the places: as often as they look. */
const SHARED_PLACES_MS = 25;

/**
 * Keeps the rows of read models up to date with the log, in loops that do not delay each other. Processes with the same read
 * store may run the same loops: a page is stored only if the place has not moved. With a lease holder, one process at a time runs
 * a loop, and another one takes over after its end.
 */
export class ProjectionRunner<Name extends string = string> {
  readonly #loops: readonly ReadLoop[];
  readonly #ending = new AbortController();
  #running: Promise<unknown> | undefined;
  #isStoring = false;
  #viewsFailed = false;
  readonly #onViewsFailed: (why: string) => void;

  constructor(
    private readonly log: EventLog,
    store: ReadStore,
    loops: readonly LoopModels<Name>[],
    {
      holder,
      onStopped = () => undefined,
      onStandsStill = () => undefined,
      onViewsFailed = () => undefined,
    }: RunnerParts = {},
  ) {
    this.#onViewsFailed = onViewsFailed;
    const onAhead = () => (holder ? this.#storeSoon() : undefined);
    const parts = { reader: new LogReader(log), holder, onStopped, log, store, onAhead, onStandsStill };
    this.#loops = loops.map((loop) => new ReadLoop(loop, parts));
  }

  get names(): readonly Name[] {
    return this.#loops.flatMap((loop) => loop.names as readonly Name[]);
  }

  /**
   * Creates missing tables and starts the loops; does not wait until they have caught up. A runner starts once.
   * @param servesViews makes the views for analysts read the rows of this build; not for a process that only fills rows
   * @throws CheckpointMismatch if the read store belongs to another log.
   * @throws StoreUnavailable
   */
  async start({ servesViews = false }: { readonly servesViews?: boolean } = {}): Promise<void> {
    await this.prepare();
    const views = () => (servesViews ? this.#serveViews() : Promise.resolve());
    await views();
    this.#running ??= Promise.all([...this.#loops.map((loop) => loop.run()), this.#keepPlaces(views)]);
  }

  /** The part of `start` before the loops: enough for `status`, waits and queries. */
  async prepare(): Promise<void> {
    for (const loop of this.#loops) await loop.prepare();
  }

  /** Finishes the current pages, and folds held-back events: otherwise the next start does. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.settle(this.names, STOP_MS).catch(() => undefined);
    for (const loop of this.#loops) loop.stop();
    await this.#running;
    await this.#storePlaces();
  }

  /** Retries a stopped loop at once. @throws UnknownProjection */
  retry(name: string): void {
    this.#loop(name).retry();
  }

  /** Whether this model has a loop of its own: other models do not wait for its fold. @throws UnknownProjection */
  isApart(name: string): boolean {
    return this.#loop(name).isApart;
  }

  /**
   * Fills the rows of the loops of these models again from the start of the log, beside the served ones. Resolves once that is
   * requested; it continues after a restart.
   * @throws UnknownProjection
   */
  async rebuild(...names: readonly string[]): Promise<void> {
    for (const loop of new Set(names.map((name) => this.#loop(name)))) await loop.rebuild();
  }

  /** As `rebuild`, for all models. Resolves once queries read the filled rows. @throws StoreUnavailable @throws the reason of an abort */
  async refill(signal: AbortSignal): Promise<void> {
    for (const loop of this.#loops) await loop.rebuild();
    for (const loop of this.#loops) {
      while (await loop.isFilling()) {
        signal.throwIfAborted();
        await pause(SHARED_PLACES_MS, signal);
      }
    }
  }

  /** Whether the filling of all served rows began after the log had the event at this position. @throws StoreUnavailable */
  async wereFilledAfter(position: string): Promise<boolean> {
    const heads = await Promise.all(this.#loops.map((loop) => loop.filledSince()));
    return heads.every((head) => head >= position);
  }

  /** The failure that delays a requested rebuild. It is retried. */
  get fillingFailure(): ProjectionFailure | undefined {
    return this.#loops.find(({ fillingFailure }) => fillingFailure)?.fillingFailure;
  }

  /** A status for each model, in order. Failures are those of this process. */
  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.log.store.head();
    return (await Promise.all(this.#loops.map((loop) => loop.status(head)))).flat();
  }

  /**
   * The types of events that can change rows of these models; `undefined` if one folds every event of some category.
   * @throws UnknownProjection
   */
  typesTakenBy(names: readonly Name[]): readonly string[] | undefined {
    const types = names.map((name) => this.#loop(name).typesTakenBy(name));
    return types.every((known) => known !== undefined) ? types.flat() : undefined;
  }

  /**
   * Resolves once the rows of these models have the event at this position, by the work of this process or another one.
   * @throws ForeignPosition if it is not a position of this log.
   * @throws ProjectionBehind after `timeoutMs`.
   */
  async waitFor(names: readonly Name[], position: string, timeoutMs: number): Promise<void> {
    parsePosition(this.log.store.logId, position);
    const byLoop = new Map<ReadLoop, Name[]>();
    for (const name of names) {
      const loop = this.#loop(name);
      byLoop.set(loop, [...(byLoop.get(loop) ?? []), name]);
    }
    await Promise.all([...byLoop].map(([loop, own]) => loop.waitFor(own, position, timeoutMs)));
  }

  /**
   * The last position at which rows of one of these models may have changed: results that were read since are current.
   * @returns `undefined` if this process does not fold events itself, or has not reached the position `needed`
   */
  changedAt(names: readonly Name[], needed = ''): string | undefined {
    const positions = names.map((name) => this.#loop(name).changedAt(name, needed));
    return positions.every((position) => position !== undefined) ? positions.toSorted().at(-1) : undefined;
  }

  /**
   * Folds events of these models at once for a while, without waiting for more. If events may have been held back, resolves once
   * the rows have all events that this process has appended, or after `mostMs`.
   */
  async settle(names: readonly Name[], mostMs: number): Promise<void> {
    const loops = new Set(names.map((name) => this.#loop(name)));
    await Promise.all([...loops].map((loop) => loop.settle(mostMs)));
  }

  /** @throws StreamStandsStill if rows of this stream stand still before an event that could not be folded */
  async checkStream(category: string, id: string): Promise<void> {
    await this.#loops[0]?.checkStream(this.log.streams.of(category, id));
  }

  /** @throws StreamStandsStill if one of the streams of these models stands still: its rows may be missing */
  async checkWhole(names: readonly Name[], which?: Which): Promise<void> {
    for (const loop of this.#loops) await loop.checkWhole(names, which);
  }

  /** The number of streams of these models that stand still before an event that could not be folded. */
  async standingStillOf(names: readonly Name[]): Promise<number> {
    const counts = await Promise.all(this.#loops.map((loop) => loop.standingStillOf(names)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Waits until these models, by default all, have the present last event of the log. A timeout of 0 only looks.
   * @throws ProjectionBehind
   */
  async caughtUpWithHead(timeoutMs: number, names: readonly Name[] = this.names): Promise<void> {
    const head = await this.log.store.head();
    if (head !== undefined) await this.waitFor(names, head, timeoutMs);
  }

  async #keepPlaces(views: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await pause(PLACES_MS, signal);
      await this.#storePlaces();
      await views();
    }
  }

  /** Views that cannot be made now are made later. */
  async #serveViews(): Promise<void> {
    try {
      for (const loop of this.#loops) await loop.serveViews();
      this.#viewsFailed = false;
    } catch (error) {
      if (!this.#viewsFailed) this.#onViewsFailed(thrownText(error));
      this.#viewsFailed = true;
    }
  }

  #storeSoon(): void {
    if (this.#isStoring) return;
    this.#isStoring = true;
    void this.#storeWhatIsAhead();
  }

  /** Repeats while loops move on. */
  async #storeWhatIsAhead(): Promise<void> {
    const { signal } = this.#ending;
    let isAhead = true;
    while (isAhead && !signal.aborted) {
      await pause(SHARED_PLACES_MS, signal);
      isAhead = (await this.#storePlaces()) && this.#loops.some((loop) => loop.isAhead);
    }
    this.#isStoring = false;
  }

  /** A place that cannot be stored now is stored later, or its events are read again. */
  async #storePlaces(): Promise<boolean> {
    return Promise.all(this.#loops.map((loop) => loop.store())).then(
      () => true,
      () => false,
    );
  }

  #loop(name: string): ReadLoop {
    const loop = this.#loops.find((one) => one.has(name));
    if (loop) return loop;
    const fix = `Name one of ${this.names.join(', ')}`;
    throw new UnknownProjection(`projection ${name}`, 'there is none of this name', fix);
  }
}
