import { type EventLog, parsePosition } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { LeaseHolder } from '#lib/workflow';
import type { ReadStore } from '../store/read-store.js';
import { checkCheckpoint } from './checkpoints.js';
import { prepareProjections, readCheckpoints, rewindProjection } from './checkpoints.js';
import { LogReader } from './log-reader.js';
import { pause } from './pause.js';
import { Progress } from './progress.js';
import type { LoopModels } from '../loop/fold-taker.js';
import { ReadLoop } from '../loop/read-loop.js';
import type { Projection } from './projection.js';
import { ProjectionTaker } from './projection-taker.js';
import { ProjectionLoop } from './projection-loop.js';
import { type ProjectionFailure, type ProjectionStatus, projectionStatus } from './projection-status.js';
import { typesTaken } from './projection.js';
import { waitForPosition } from './wait-for-position.js';

/** No projection has this name. */
export class UnknownProjection extends RedialError {}

/** Optional parts of a runner. */
interface RunnerParts<Name extends string> {
  /** With it, rows are filled by one process at a time. */
  readonly holder?: LeaseHolder | undefined;
  readonly onStopped?: (name: string, failure: ProjectionFailure) => void;
  /** Called once for each stream whose rows stand still from now on. */
  readonly onStandsStill?: (failure: ProjectionFailure) => void;
  /** Filled by folds, all in one loop. */
  readonly models?: LoopModels<Name>;
}

/** How often checkpoints that moved in memory are stored, and rewinds by other processes are read. */
const CHECKPOINTS_MS = 1000;
/** The same if processes on other machines wait for the checkpoints: as often as they look. */
const SHARED_CHECKPOINTS_MS = 25;

/**
 * Keeps the rows of projections up to the log. Every process that shares a read store may run the same ones: a batch is kept
 * only by the runner that finds the checkpoint where it left it. With a lease holder, each projection is run by one process at
 * a time, and by another once that one has gone. A projection that fails stands still before the event it cannot take, is
 * tried again by itself, and holds up no other.
 */
export class ProjectionRunner<Name extends string = string> {
  readonly #loops: readonly ProjectionLoop<ProjectionTaker>[];
  /** The rows that folds fill. */
  readonly #folds: ReadLoop | undefined;
  readonly #ending = new AbortController();
  #running: Promise<unknown> | undefined;
  #isStoring = false;

  constructor(
    private readonly log: EventLog,
    private readonly store: ReadStore,
    private readonly projections: readonly Projection<Name>[],
    { holder, onStopped = () => undefined, onStandsStill = () => undefined, models }: RunnerParts<Name> = {},
  ) {
    const isShared = holder !== undefined;
    const onAhead = () => (isShared ? this.#storeSoon() : undefined);
    const parts = { reader: new LogReader(log), holder, onStopped };
    this.#loops = projections.map(
      (projection) => new ProjectionLoop(new ProjectionTaker(projection, store, onAhead), parts),
    );
    this.#folds = models && new ReadLoop(models, { ...parts, log, store, onAhead, onStandsStill });
  }

  get names(): readonly Name[] {
    return [...this.projections.map(({ name }) => name), ...this.#foldedNames];
  }

  get #foldedNames(): readonly Name[] {
    return (this.#folds?.names ?? []) as readonly Name[];
  }

  /**
   * Creates missing tables and starts the loops; does not wait until they have caught up. A runner starts once.
   * @throws CheckpointMismatch when the read store belongs to another log.
   * @throws StoreUnavailable
   */
  async start(): Promise<void> {
    await this.prepare();
    this.#running ??= Promise.all([
      ...this.#loops.map((loop) => loop.run()),
      this.#keepCheckpoints(),
      this.#folds?.run(),
    ]);
  }

  /** The first part of `start`, before the loops: enough for `status`, waits and queries. */
  async prepare(): Promise<void> {
    await this.store.write(prepareProjections(this.projections));
    const checkpoints = await readCheckpoints(this.store.db, this.projections);
    const head = await this.log.store.head();
    for (const checkpoint of checkpoints) checkCheckpoint(checkpoint, this.log.store, head);
    await this.#folds?.prepare();
  }

  /** Finishes the batches at hand. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const loop of this.#loops) loop.stop();
    this.#folds?.stop();
    await this.#running;
    await this.#storeCheckpoints();
  }

  /** Tries a stopped projection again at once. @throws UnknownProjection */
  retry(name: string): void {
    if (this.#folds?.has(name)) this.#folds.retry();
    else this.#loop(name).interrupt();
  }

  /**
   * Fills the rows again from the start of the log. Resolves once that has begun; it goes on after a restart. Rows of folds are filled
   * beside those that are read, all together. The tables of a projection are emptied: until it is done readers see what has been
   * filled in, and `waitFor` waits.
   * @throws UnknownProjection
   */
  async rebuild(name: string): Promise<void> {
    if (this.#folds?.has(name)) return this.#folds.rebuild();
    const loop = this.#loop(name);
    const head = await this.log.store.head();
    await this.store.write(rewindProjection(loop.taker.projection, head ?? ''));
    loop.rewound();
  }

  /** Why rows of folds are not filled again although that was asked for. It is tried again. */
  get fillingFailure(): ProjectionFailure | undefined {
    return this.#folds?.fillingFailure;
  }

  /** One for each projection, in their order. Failures are those of this process. */
  async status(): Promise<readonly ProjectionStatus[]> {
    const checkpoints = await readCheckpoints(this.store.db, this.projections);
    const head = await this.log.store.head();
    const ofProjections = checkpoints.map((checkpoint, index) => {
      const loop = this.#loops[index];
      const position = loop?.taker.progress.reachedWith(checkpoint.position) ?? checkpoint.position;
      return projectionStatus({ ...checkpoint, position }, this.log.store, head, loop?.failure);
    });
    return [...ofProjections, ...((await this.#folds?.status(head)) ?? [])];
  }

  /**
   * The types of events that can change rows of these projections; `undefined` if one takes every event of some category.
   * @throws UnknownProjection
   */
  typesTakenBy(names: readonly Name[]): readonly string[] | undefined {
    const types = names.map((name) =>
      this.#folds?.has(name) ? this.#folds.typesTakenBy(name) : typesTaken(this.#loop(name).taker.projection),
    );
    return types.every((known) => known !== undefined) ? types.flat() : undefined;
  }

  /**
   * Resolves once these projections have taken the event at this position, here or in another process. What the others do
   * makes no difference.
   * @throws ForeignPosition when it is not a position of this log.
   * @throws ProjectionBehind when it takes longer than `timeoutMs`.
   */
  async waitFor(names: readonly Name[], position: string, timeoutMs: number): Promise<void> {
    parsePosition(this.log.store.logId, position);
    const folded = names.filter((name) => this.#folds?.has(name));
    const awaited = names.filter((name) => !folded.includes(name)).map((name) => this.#loop(name));
    await Promise.all([
      awaited.length > 0 && waitForPosition(this.store, awaited, position, timeoutMs),
      folded.length > 0 && this.#folds?.waitFor(folded, position, timeoutMs),
    ]);
  }

  /** @throws StreamStandsStill if rows of this stream stand still before an event that could not be taken */
  async checkStream(category: string, id: string): Promise<void> {
    await this.#folds?.checkStream(this.log.streams.of(category, id));
  }

  /** How many of the streams that these show stand still before an event that could not be taken. */
  async standingStillOf(names: readonly Name[]): Promise<number> {
    return (await this.#folds?.standingStillOf(names)) ?? 0;
  }

  /**
   * Waits until these projections, or else every one, have the last event that is in the log now. A timeout of 0 only looks.
   * @throws ProjectionBehind
   */
  async caughtUpWithHead(timeoutMs: number, names: readonly Name[] = this.names): Promise<void> {
    const head = await this.log.store.head();
    if (head !== undefined) await this.waitFor(names, head, timeoutMs);
  }

  /** Another process may begin a rebuild while no event is appended. */
  async #keepCheckpoints(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await pause(CHECKPOINTS_MS, signal);
      await this.#storeCheckpoints();
      // Before the checkpoints are read: otherwise a loop would continue from its old checkpoint.
      const known = this.#loops.map(({ taker }) => taker.progress.stored);
      const checkpoints = await readCheckpoints(this.store.db, this.projections).catch(() => []);
      for (const [index, { position }] of checkpoints.entries()) {
        if (position < (known[index] ?? '')) this.#loops[index]?.rewound();
      }
    }
  }

  #storeSoon(): void {
    if (this.#isStoring) return;
    this.#isStoring = true;
    void this.#storeWhatIsAhead();
  }

  /** Again if projections had to be left out because they were being written. */
  async #storeWhatIsAhead(): Promise<void> {
    const { signal } = this.#ending;
    let isAhead = true;
    while (isAhead && !signal.aborted) {
      await pause(SHARED_CHECKPOINTS_MS, signal);
      const isStored = await this.#storeCheckpoints();
      isAhead = isStored && (this.#folds?.isAhead || this.#loops.some(({ taker }) => taker.progress.isAhead));
    }
    this.#isStoring = false;
  }

  /** A checkpoint that cannot be stored now is stored later, or its events are read again. */
  async #storeCheckpoints(): Promise<boolean> {
    const all = this.#loops.map(({ taker }) => taker.progress);
    return Promise.all([Progress.storeTogether(this.store, all), this.#folds?.store()]).then(
      () => true,
      () => false,
    );
  }

  #loop(name: string): ProjectionLoop<ProjectionTaker> {
    const loop = this.#loops.find(({ taker }) => taker.name === name);
    if (loop) return loop;
    const fix = `Name one of ${this.names.join(', ')}`;
    throw new UnknownProjection(`projection ${name}`, 'there is none of this name', fix);
  }
}
