import {
  type Appended,
  type EventLog,
  idInStream,
  type NewEvent,
  type StoredEvent,
  type StreamAppend,
} from '#lib/event-store';
import { isRejection, type RecordedEvent, type Rejection } from '#lib/kernel';
import { CannotPerform } from './driver-failures.js';
import { type AskedRun, endedRun, LostRun, type NamedRuns, type RunOwner, type Wanted } from './run-owner.js';
import type { Run } from './run.rules.js';
import type { Owner, RunCancelRequested, WorkflowStarted } from './runtime.events.js';
import type { RunRequest, StartedRun } from './start-run.js';
import type { UnattendedRuns } from './unattended-runs.js';
import { type LoadRun, personAwaited, rootOf, type RunName, WaitsForPerson } from './waits-for-person.js';

/** The runtime, as owned runs see it. */
export interface OwnedRunsHost {
  isDriven(run: Pick<AskedRun, 'workflow' | 'runId'>): boolean;
  startRun(request: RunRequest): Promise<StartedRun | Rejection>;
  retry(stream: string): Promise<void>;
  /** The run folded to its last event; `undefined` if this process knows no such run. */
  run(name: RunName): Promise<Run | undefined>;
}

/** The callers that wait for the delivery of a run. All share one promise. */
interface Waiting {
  readonly asked: AskedRun;
  readonly events: Promise<readonly RecordedEvent[]>;
  readonly resolve: (events: readonly RecordedEvent[]) => void;
  readonly reject: (error: unknown) => void;
  /** A caller came while the run was driven. The run, or one below it, may have failed before the caller came. */
  mayHaveMissed: boolean;
}

const NONE: NamedRuns = { asked: [], withdrawn: [] };

/** A run that a caller waits for: as its owner's stream has it, or the open run, if it has no owner. */
type Known = Wanted | { readonly open: Run };

/**
 * The runs that callers in this process wait for. It begins those that streams of capabilities ask for, and delivers their ends. For a run
 * without an owner, the end is the delivery. Other runs cost nothing here.
 */
export class OwnedRuns {
  /** By run id. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #withdrawing: readonly RunOwner[];
  readonly #load: LoadRun = (name) => this.host.run(name);
  #closed?: (asked: AskedRun) => unknown;

  /** @param owners by the name of the workflow */
  constructor(
    private readonly log: Pick<EventLog, 'load' | 'loadTo' | 'readStream' | 'streams'>,
    private readonly owners: ReadonlyMap<string, RunOwner>,
    private readonly host: OwnedRunsHost,
    private readonly unattended: Pick<UnattendedRuns, 'lookAt'>,
  ) {
    this.#withdrawing = [...owners.values()].filter((owner) => owner.namedIn !== undefined);
  }

  /**
   * Begins the run, and waits until its owner has taken in its end.
   * @returns the events that the delivery writes
   * @throws WaitsForPerson only if the run waits for a person after this call. All callers share one read of the run; a read from before this
   * call may lack the signal or the cancellation that the caller has just recorded
   */
  async finish(asked: AskedRun): Promise<readonly RecordedEvent[]> {
    for (;;)
      try {
        return await this.#ended(asked);
      } catch (error) {
        const run = error instanceof WaitsForPerson ? await this.#load(asked) : undefined;
        const person = run && (await personAwaited(run, this.#load));
        if (!run || person) throw person ?? error;
      }
  }

  async #ended(asked: AskedRun): Promise<readonly RecordedEvent[]> {
    const waiting = this.#waiting.get(asked.runId) ?? waitingFor(asked);
    this.#waiting.set(asked.runId, waiting);
    waiting.mayHaveMissed ||= this.host.isDriven(asked);
    await this.begin(asked).catch((error: unknown) => this.failed(asked.runId, error));
    if (this.#closed) this.failed(asked.runId, this.#closed(asked));
    return waiting.events;
  }

  /**
   * Starts the run, unless it was started or its end was taken in.
   * @param revision that the owner's stream has reached
   */
  async begin(asked: AskedRun, revision = 0): Promise<void> {
    if (this.host.isDriven(asked) && !this.#closed) return;
    // The driver finds a delivery that is missed here: it repeats the command, which changes nothing.
    const known = await this.#lookUp(asked, revision);
    if ('delivered' in known) return;
    if ('open' in known) return this.#retry(known.open);
    const started = await this.host.startRun(known.request);
    if (isRejection(started)) {
      const what = `the start of ${asked.workflow} ${asked.runId}`;
      throw new CannotPerform(what, started.message, 'Report it');
    }
    const run = started.position === undefined ? await this.#load(asked) : undefined;
    if (run) await this.#retry(run);
  }

  /** Tries the run again for callers that came after its failure was reported: it fails again, and they get the reason. */
  async #retryOnce(run: Run): Promise<void> {
    const waiting = this.#waiting.get(run.runId);
    if (!waiting?.mayHaveMissed) return;
    waiting.mayHaveMissed = false;
    await this.#retry(run);
  }

  /** Tries a run and its open children again: this process may have set any of them aside. */
  async #retry({ start, steps }: Run): Promise<void> {
    void this.host.retry(start.stream);
    for (const step of steps.open.values()) {
      if (step.kind !== 'child') continue;
      const child = await this.#load(step);
      // A child without rules here cannot be folded. If it is set aside for that, the waiting callers get the reason.
      await (child ? this.#retry(child) : this.host.retry(this.log.streams.of(step.workflow, step.runId)));
    }
  }

  /** The runs that an event asks for or withdraws, of the owners that withdraw runs. No caller has to wait for these runs. */
  namedIn(event: StoredEvent): readonly NamedRuns[] {
    return this.#withdrawing.map((owner) => owner.namedIn?.(event) ?? NONE);
  }

  /** Whether a driver of this run has to ask its owner if the run is still needed. */
  mayBeWithdrawn({ start: { data }, steps }: Run): boolean {
    const isOver = steps.end !== undefined || steps.cancelRequested;
    return !isOver && this.owners.get(data.workflow)?.isWithdrawn !== undefined;
  }

  /** The cancellation of a run that its owner no longer needs. */
  async withdrawal({ runId, start: { data } }: Run): Promise<RunCancelRequested | undefined> {
    const { workflow, owner } = data;
    if (!owner || !('stream' in owner)) return undefined;
    const stream = this.log.streams.withPrefix(owner.stream);
    const history = await this.log.load(stream);
    const capability = this.owners.get(workflow);
    if (!capability?.isWithdrawn?.({ workflow, runId, stream }, history)) return undefined;
    const { withdrawalReason: reason } = capability;
    return { type: 'RunCancelRequested', data: reason === undefined ? {} : { reason } };
  }

  /** The events that `deliver` would append to the owner's stream, if they are known without a read. */
  planDelivery(run: Run): StreamAppend<NewEvent> | undefined {
    const ended = endedRun(run);
    return ended && this.owners.get(run.start.data.workflow)?.planDelivery(ended);
  }

  /**
   * Delivers the end to the owner, if the run has one. A repetition changes nothing.
   * @param planned the append of `planDelivery`, if it was made
   */
  async deliver(run: Run, planned?: Appended): Promise<void> {
    const ended = endedRun(run);
    const events = ended && (await this.owners.get(run.start.data.workflow)?.deliver(ended, planned));
    this.#delivered(run.runId, events ?? []);
  }

  /**
   * Looks at the waiting runs again, because another process may have delivered one.
   * @param stream that has grown; without it, any stream
   * @param revision that it has grown to
   */
  noticed(stream?: string, revision = Infinity): void {
    for (const { asked } of this.#waiting.values())
      if (stream === undefined || asked.stream === stream) this.#lookUpUnlessDriven(asked, revision);
  }

  /** This process no longer drives the run. Notices of its owner's stream were ignored meanwhile. */
  rested(runId: string): void {
    const waiting = this.#waiting.get(runId);
    if (waiting) this.#lookUpUnlessDriven(waiting.asked, Infinity);
  }

  /** A run waits for an event from outside. If a person has to give it, the callers that wait for the run, or for a run above it, get an error. */
  async parked(run: Run): Promise<void> {
    if (this.#waiting.size === 0) return;
    const root = await rootOf(run, this.#load);
    if (root && this.#waiting.has(root.runId)) await this.#tellOfPerson(root);
  }

  /**
   * Sends the error to the callers that wait for the run of this stream, or for one above it. The run stays open.
   * @param run if this process could fold it; else its start is read, if a caller waits
   */
  failedIn(stream: string, error: unknown, run?: Run): void {
    this.failed(idInStream(stream), error);
    if (this.#waiting.size === 0) return;
    const start = run ? Promise.resolve(run.start) : this.#startIn(stream);
    void start.catch(() => undefined).then((known) => this.#failedAbove(known?.data.owner, error));
  }

  /** Sends the error to the callers that wait for this run. */
  failed(runId: string, error: unknown): void {
    this.#waiting.get(runId)?.reject(error);
    this.#waiting.delete(runId);
  }

  #failedAbove(owner: Owner | undefined, error: unknown): void {
    if (owner && 'run' in owner) this.failedIn(this.log.streams.of(owner.workflow, owner.run), error);
  }

  async #startIn(stream: string): Promise<RecordedEvent<WorkflowStarted> | undefined> {
    const [start] = await this.log.readStream<WorkflowStarted>(stream, { limit: 1 });
    return start?.type === 'WorkflowStarted' ? start : undefined;
  }

  /** Ends all waits: every present and later wait for an undelivered run rejects with this error. */
  close(errorOf: (asked: AskedRun) => unknown): void {
    this.#closed = errorOf;
    for (const { asked } of this.#waiting.values()) this.failed(asked.runId, errorOf(asked));
  }

  #lookUpUnlessDriven(asked: AskedRun, revision: number): void {
    if (this.host.isDriven(asked)) return;
    this.#lookAgain(asked, revision).catch((error: unknown) => this.failed(asked.runId, error));
  }

  /** Looks at a run that another process may drive. */
  async #lookAgain(asked: AskedRun, revision: number): Promise<void> {
    if ('delivered' in (await this.#lookUp(asked, revision))) return;
    const run = await this.#load(asked);
    if (run) {
      await this.#tellOfPerson(run);
      await this.#retryOnce(run);
    }
    const unknown = await this.#unknownIn(asked, run);
    if (unknown) await this.unattended.lookAt(this.log.streams.of(unknown.workflow, unknown.runId));
  }

  /** The run itself, or the first one below it, that this process has no rules of or that is not started. */
  async #unknownIn(name: RunName, run: Run | undefined): Promise<RunName | undefined> {
    if (!run) return name;
    for (const step of run.steps.open.values()) {
      const unknown = step.kind === 'child' && (await this.#unknownIn(step, await this.#load(step)));
      if (unknown) return unknown;
    }
    return undefined;
  }

  async #tellOfPerson(run: Run): Promise<void> {
    const person = await personAwaited(run, this.#load);
    if (person) this.failed(run.runId, person);
  }

  async #lookUp(asked: AskedRun, revision: number): Promise<Known> {
    const owner = this.owners.get(asked.workflow);
    const known = owner ? await this.#wanted(owner, asked, revision) : await this.#unowned(asked);
    if ('delivered' in known) this.#delivered(asked.runId, known.delivered);
    return known;
  }

  /** Reads the owner's stream at most once more. @param revision up to which deliveries are read; later ones may be missed */
  async #wanted(owner: RunOwner, asked: AskedRun, revision: number): Promise<Wanted> {
    const { stream, workflow, runId } = asked;
    const wanted =
      owner.find(asked, await this.log.loadTo(stream, revision)) ??
      owner.find(asked, await this.log.load(stream));
    if (wanted) return wanted;
    const fix = 'Verify the log with `redial replay --all`';
    throw new LostRun(`${workflow} ${runId}`, `${stream} does not know it`, fix);
  }

  async #unowned(asked: AskedRun): Promise<Known> {
    const run = await this.#load(asked);
    if (run) return run.steps.end ? { delivered: [] } : { open: run };
    const what = `${asked.workflow} ${asked.runId}`;
    throw new CannotPerform(what, 'this process does not know it', 'Ask a process that has its workflow');
  }

  #delivered(runId: string, events: readonly RecordedEvent[]): void {
    this.#waiting.get(runId)?.resolve(events);
    this.#waiting.delete(runId);
  }
}

function waitingFor(asked: AskedRun): Waiting {
  let resolve: Waiting['resolve'] = () => undefined;
  let reject: Waiting['reject'] = () => undefined;
  const events = new Promise<readonly RecordedEvent[]>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // The promise may reject before a caller waits.
  events.catch(() => undefined);
  return { asked, events, resolve, reject, mayHaveMissed: false };
}
