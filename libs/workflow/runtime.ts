import {
  type Appended,
  AppendTooLarge,
  idInStream,
  type NewEvent,
  StoreUnavailable,
  type StreamAppend,
} from '#lib/event-store';
import { type Event, isRejection, type RecordedEvent } from '#lib/kernel';
import { CallSlots } from './call-slots.js';
import { ChildRuns } from './child-runs.js';
import { stopped } from './driver-failures.js';
import type { DriverHost, DriverParts } from './driver-parts.js';
import { Drivers } from './drivers.js';
import type { Run } from './run.rules.js';
import { RunLoader } from './load-run.js';
import { MissingRules } from './missing-rules.js';
import { OwnedRuns, type OwnedRunsHost } from './owned-runs.js';
import { RunResumer } from './resume-run.js';
import { RunDriver } from './run-driver.js';
import type { AskedRun } from './run-owner.js';
import type { RuntimeParts } from './runtime-parts.js';
import { type Failing, SetAside } from './set-aside.js';
import { RunForker, type RunForkRequest } from './forks/run-forker.js';
import { type PreparedRun, type RunRequest, RunStarter, type Starting } from './start-run.js';
import type { RunName } from './waits-for-person.js';
import { UnattendedRuns } from './unattended-runs.js';
import { WakeUp } from './wake-up.js';

const HALT_MS = 5_000;

/** The durable runtime of one process: starts runs, drives them, and delivers their ends to their owners. */
export class WorkflowRuntime implements DriverHost, OwnedRunsHost {
  readonly #drivers = new Drivers((stream) => void this.#wake(stream));
  /** Streams whose start event this process is appending. */
  readonly #starting = new Set<string>();
  readonly #owned: OwnedRuns;
  readonly #children: ChildRuns;
  readonly #driverParts: DriverParts;
  readonly #loader: RunLoader;
  readonly #starter: RunStarter;
  readonly #forker: RunForker;
  readonly #resumer: RunResumer;
  readonly unattended: UnattendedRuns;
  readonly #wakeUp: WakeUp;
  readonly #setAside: SetAside;
  readonly slots: CallSlots;
  readonly #stopped = new AbortController();
  /** Aborts once this process drives no run any more. */
  readonly stopped: AbortSignal = this.#stopped.signal;
  #isStopping = false;
  #discardedOutcomes = 0;

  constructor(private readonly parts: RuntimeParts) {
    const { leases } = parts.holder;
    this.#loader = new RunLoader(parts);
    this.#starter = new RunStarter(parts, this.#loader);
    this.#forker = new RunForker(parts, this.#loader);
    this.#resumer = new RunResumer(parts, this.#loader);
    this.#setAside = new SetAside(parts.time);
    const setAside = (stream: string, error: unknown) => this.#setItAside(stream, error);
    this.unattended = new UnattendedRuns(parts, this.#loader, this.#setAside, setAside);
    const failed = (what: string, error: unknown) => parts.observer.warn(`${what} failed: ${String(error)}`);
    const wake = (stream: string, revision?: number) => this.#wake(stream, revision);
    this.#owned = new OwnedRuns(parts.log, parts.owners, this, this.unattended);
    this.#children = new ChildRuns(parts, this);
    this.slots = new CallSlots(parts.callLimit);
    const { slots, unattended } = this;
    this.#driverParts = { ...parts, slots, owned: this.#owned, children: this.#children, host: this };
    this.#wakeUp = new WakeUp({ ...parts, leases, wake, owned: this.#owned, unattended, failed });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Streams of the runs that this process drives now. */
  get driven(): readonly string[] {
    return this.#drivers.streams;
  }

  get setAside(): readonly Failing[] {
    return this.#setAside.all;
  }

  /** Outcomes that came to this process after another process had closed their calls. */
  get discardedOutcomes(): number {
    return this.#discardedOutcomes;
  }

  /** Continues all open runs. @throws StoreUnavailable */
  start(): Promise<void> {
    return this.#wakeUp.start();
  }

  /** Continues only the runs that new events wake. @throws StoreUnavailable */
  follow(): Promise<void> {
    return this.#wakeUp.follow();
  }

  /** Requests no more calls, gives the open ones `graceMs` to finish, then aborts them and records them as interrupted. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#wakeUp.stop();
    this.#drivers.wake();
    await this.#drivers.settledWithin(graceMs, this.parts.time);
    this.#drivers.halt();
    await this.#drivers.settledWithin(HALT_MS, this.parts.time);
    this.#owned.close(({ workflow }) => stopped(`the ${workflow} was not finished`));
    this.#stopped.abort(stopped('the wait for a run'));
  }

  /** Records the start and drives the run. A second start with the same id changes nothing. @throws RuntimeStopped @throws StoreUnavailable */
  startRun(request: RunRequest): Starting {
    const stream = this.parts.log.streams.of(request.workflow, request.runId);
    return this.#driven(stream, () => this.#starter.start(request));
  }

  /** Forks a run, and drives the fork. A second fork with the same id changes nothing. @throws as `RunForker.fork` @throws RuntimeStopped */
  forkRun(request: RunForkRequest): Starting {
    return this.#driven(this.#forker.streamOf(request), () => this.#forker.fork(request));
  }

  async #driven(stream: string, start: () => Starting): Starting {
    if (this.#isStopping) throw stopped(`${stream} was not started`);
    this.#starting.add(stream);
    const started = await start().finally(() => this.#starting.delete(stream));
    // A driver that begins after the others were waited for finds closed stores: the next sweep continues the run.
    if (isRejection(started) || this.#isStopping) return started;
    const { run } = started;
    const isNew = run && !this.#drivers.get(stream);
    void (isNew ? this.#drive(new RunDriver(stream, this.#driverParts, run)) : this.#wake(stream));
    return started;
  }

  /**
   * Starts a run that its owner's stream asks for, unless it was started, and waits until the owner has taken in its end. All calls that wait for the
   * same run, here or in another process, get the same events.
   * @returns the events that the delivery wrote into the owner's stream
   * @throws RuntimeStopped | StoreUnavailable | CannotPerform: the run stays open; the sweep continues it
   * @throws WaitsForPerson: the run stays open, and continues after a signal
   */
  finish(asked: AskedRun): Promise<readonly RecordedEvent[]> {
    return this.#owned.finish(asked);
  }

  /** Waits until a run without an owner has ended, here or in another process. @throws as `finish` */
  async ended({ workflow, runId }: RunName): Promise<void> {
    await this.#owned.finish({ workflow, runId, stream: this.parts.log.streams.of(workflow, runId) });
  }

  /**
   * Makes an append that asks for a run. If this process can drive the run, the start and the first requests of the run are appended with it, in one
   * flush if the store has one, under the lease of the run.
   * @throws RevisionConflict: no event was written, or only those that ask for the run
   * @throws AppendTooLarge @throws StoreUnavailable
   */
  async request<E extends Event>(asked: AskedRun, append: StreamAppend<NewEvent<E>>): Promise<Appended<E>> {
    // A failure here occurs again once the request is written, and is reported then.
    const run = await this.#requested(asked, append).catch(() => undefined);
    const begun = run && (await this.#begin(run, append));
    if (begun) return begun as Appended<E>;
    return this.parts.log.append(append.stream, append.expected, append.events);
  }

  /** The run that the append asks for; `undefined` if this process cannot drive it. */
  async #requested(asked: AskedRun, request: StreamAppend<NewEvent>): Promise<PreparedRun | undefined> {
    const history = this.parts.log.supposing(request);
    const wanted = history && this.parts.owners.get(asked.workflow)?.find(asked, history);
    if (!wanted || 'delivered' in wanted) return undefined;
    const run = await this.#starter.prepare(wanted.request, history);
    return isRejection(run) ? undefined : run;
  }

  async #begin({ prepared }: PreparedRun, request: StreamAppend<NewEvent>): Promise<Appended | undefined> {
    const { stream } = prepared.start;
    if (this.#isStopping || this.#drivers.get(stream) || this.#drivers.isFull) return undefined;
    return new Promise((resolve, reject) => {
      let failure: { readonly error: unknown } | undefined;
      const failed = (error: unknown) => void (failure = { error });
      const beginning = { prepared, request, begun: resolve, failed };
      const driver = new RunDriver(stream, this.#driverParts, beginning);
      // By then the lease is released, and the run can be asked for again.
      const left = () =>
        failure && !(failure.error instanceof AppendTooLarge) ? reject(failure.error) : resolve(undefined);
      void this.#drive(driver).then(left);
    });
  }

  isDriven({ workflow, runId }: Pick<AskedRun, 'workflow' | 'runId'>): boolean {
    return this.driveOf({ workflow, runId }) !== undefined;
  }

  driveOf({ workflow, runId }: RunName): Promise<unknown> | undefined {
    return this.#drivers.driveOf(this.parts.log.streams.of(workflow, runId));
  }

  driverOf(stream: string): RunDriver | undefined {
    const driver = this.#drivers.get(stream);
    if (!driver || driver.isDone) void this.#wake(stream);
    return this.#drivers.get(stream);
  }

  /** Tries a run again that was set aside. Resolves once it has failed again or is at rest. */
  async retry(stream: string): Promise<void> {
    const needs = this.#setAside.needs(stream);
    this.#setAside.release(stream);
    if (needs !== undefined) await this.unattended.examine(stream);
    await this.#wake(stream);
  }

  load(stream: string): Promise<Run | undefined> {
    return this.#loader.load(stream);
  }

  resume(stream: string): Promise<Run | undefined> {
    return this.#resumer.resume(stream);
  }

  run({ workflow, runId }: RunName): Promise<Run | undefined> {
    return this.load(this.parts.log.streams.of(workflow, runId));
  }

  async deliver(run: Run, planned?: Appended): Promise<void> {
    const { owner } = run.start.data;
    this.#wakeUp.forget(run.start.stream);
    if (owner && 'run' in owner) await this.#children.end(owner, run);
    else await this.#owned.deliver(run, planned);
  }

  stalled(stream: string, error: StoreUnavailable): void {
    this.#owned.failedIn(stream, error, this.#drivers.get(stream)?.run);
  }

  wakeAt(stream: string, dueAt: number): void {
    this.#wakeUp.wakeAt(stream, dueAt);
  }

  discard(stream: string, outcome: Event): void {
    this.#discardedOutcomes += 1;
    this.parts.observer.outcomeDiscarded(stream, outcome);
  }

  emit(start: RecordedEvent, stepId: string, text: string): void {
    this.parts.observer.delta(start, stepId, text);
  }

  async #wake(stream: string, revision?: number): Promise<number | undefined> {
    const driver = this.#drivers.get(stream);
    if (driver && !driver.isDone) {
      driver.wake(revision);
      return undefined;
    }
    if (this.#isStopping || this.#starting.has(stream)) return undefined;
    if (revision !== undefined && this.#resumer.isAtRest(stream, revision)) return undefined;
    const needs = this.#setAside.needs(stream);
    if (needs !== undefined) this.#owned.failedIn(stream, new MissingRules(stream, needs));
    // A new event is a reason to read the stream again; time alone is none.
    const rests = revision === undefined && this.#setAside.isResting(stream);
    if (needs !== undefined || rests) return undefined;
    return this.#drive(new RunDriver(stream, this.#driverParts));
  }

  async #drive(driver: RunDriver): Promise<number | undefined> {
    const { stream } = driver;
    try {
      return await this.#drivers.drive(driver, () => this.#untilRest(driver));
    } finally {
      this.#owned.rested(idInStream(stream));
    }
  }

  async #untilRest(driver: RunDriver): Promise<number | undefined> {
    try {
      const rest = await driver.drive();
      this.#setAside.remove(driver.stream);
      this.#resumer.left(driver.stream, rest);
      if (rest !== undefined && driver.run && !driver.run.steps.end) this.#parked(driver.run);
      return rest;
    } catch (error) {
      return this.#setItAside(driver.stream, error, driver.run);
    }
  }

  /**
   * Sets a run aside, unless the store is unavailable: then the next sweep finds the run. In both cases, callers that wait for the run get the error.
   */
  #setItAside(stream: string, error: unknown, run?: Run): undefined {
    this.#owned.failedIn(stream, error, run);
    const isAway = error instanceof StoreUnavailable;
    const { failure } = isAway ? { failure: error.message } : this.#setAside.add(stream, error);
    this.parts.observer.warn(`${stream} ${isAway ? 'waits for the next sweep' : 'is set aside'}: ${failure}`);
  }

  #parked(run: Run): void {
    this.#owned.parked(run).catch((error: unknown) => {
      this.parts.observer.warn(`${run.start.stream} waits, and it is not known for whom: ${String(error)}`);
    });
  }
}
