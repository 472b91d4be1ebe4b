import type { NewEvent, StreamAppend, StreamHistory } from '#lib/event-store';
import { isRejection, type RecordedEvent, type Rejection } from '#lib/kernel';
import { Deliveries } from './deliveries.js';
import { CannotPerform } from './driver-failures.js';
import type { AskedRun, EndedRun, RunOwner, Wanted } from './run-owner.js';
import type { Run } from './run.rules.js';
import type { RunRequest, StartedRun } from './start-run.js';
import { type LoadRun, personAwaited, rootOf, type RunName } from './waits-for-person.js';

/** The runtime, as owned runs see it. */
export interface OwnedRunsHost {
  isDriven(run: Pick<AskedRun, 'workflow' | 'runId'>): boolean;
  startRun(request: RunRequest): Promise<StartedRun | Rejection>;
  retry(stream: string): Promise<void>;
  /** Folded to its last event; `undefined` where there is none that this process knows. */
  run(name: RunName): Promise<Run | undefined>;
}

/** The runs of one process that streams of capabilities ask for: begins them, and delivers their ends. */
export class OwnedRuns {
  readonly #deliveries = new Deliveries();
  readonly #load: LoadRun = (name) => this.host.run(name);

  /** @param owners by the name of the workflow */
  constructor(
    private readonly owners: ReadonlyMap<string, RunOwner>,
    private readonly host: OwnedRunsHost,
  ) {}

  /** Begins the run, and waits until the owner has taken in its end. */
  async finish(asked: AskedRun): Promise<readonly RecordedEvent[]> {
    const events = this.#deliveries.of(asked);
    await this.begin(asked).catch((error: unknown) => this.failed(asked.runId, error));
    return events;
  }

  /** Starts the run, unless it was started or its end was taken in. */
  async begin(asked: AskedRun): Promise<void> {
    // A delivery that is missed here is found by the driver: it repeats the command, which changes nothing.
    const wanted = await this.#lookUp(asked, 0);
    if ('delivered' in wanted || this.host.isDriven(asked)) return;
    const { workflow, runId } = asked;
    const started = await this.host.startRun({ ...wanted.request, workflow, runId });
    if (isRejection(started)) {
      throw new CannotPerform(`the start of ${workflow} ${runId}`, started.message, 'Report it');
    }
    if (started.position === undefined) void this.host.retry(started.stream);
  }

  /** The request of the run that a history asks for: its owner's stream with an append that is about to be made. */
  wantedIn(asked: AskedRun, history: StreamHistory): RunRequest | undefined {
    const wanted = this.owners.get(asked.workflow)?.find?.(asked, history);
    if (!wanted || 'delivered' in wanted) return undefined;
    const { workflow, runId } = asked;
    return { ...wanted.request, workflow, runId };
  }

  planDelivery(workflow: string, ended: EndedRun): StreamAppend<NewEvent> | undefined {
    return this.owners.get(workflow)?.planDelivery?.(ended);
  }

  async deliver(workflow: string, ended: EndedRun): Promise<void> {
    const events = await this.owners.get(workflow)?.deliver(ended);
    this.#deliveries.delivered(ended.runId, events ?? []);
  }

  /**
   * Another process may have delivered a run that a caller here waits for.
   * @param stream that has grown; without it, any
   * @param revision that it has grown to
   */
  noticed(stream?: string, revision = Infinity): void {
    for (const asked of this.#deliveries.awaitedBy(stream)) this.#lookUpUnlessDriven(asked, revision);
  }

  /** This process drives the run no more: what was noticed of its stream meanwhile was not looked at. */
  rested(runId: string): void {
    const asked = this.#deliveries.awaited(runId);
    if (asked) this.#lookUpUnlessDriven(asked, Infinity);
  }

  /** A run waits for something from outside: who waits for it, or for a run above it, is told where that is a person. */
  async parked(run: Run): Promise<void> {
    if (this.#deliveries.awaitedBy().length === 0) return;
    const root = await rootOf(run, this.#load);
    if (root && this.#deliveries.awaited(root.runId)) await this.#tellOfPerson(root);
  }

  /** Tells who waits. The run stays open. */
  failed(runId: string, error: unknown): void {
    this.#deliveries.failed(runId, error);
  }

  allFailed(errorOf: (asked: AskedRun) => unknown): void {
    this.#deliveries.allFailed(errorOf);
  }

  #lookUpUnlessDriven(asked: AskedRun, revision: number): void {
    if (this.host.isDriven(asked)) return;
    this.#lookAgain(asked, revision).catch((error: unknown) => this.failed(asked.runId, error));
  }

  /** Another process may drive the run. */
  async #lookAgain(asked: AskedRun, revision: number): Promise<void> {
    if ('delivered' in (await this.#lookUp(asked, revision))) return;
    const run = await this.#load(asked);
    if (run) await this.#tellOfPerson(run);
  }

  async #tellOfPerson(run: Run): Promise<void> {
    const person = await personAwaited(run, this.#load);
    if (person) this.failed(run.runId, person);
  }

  async #lookUp(asked: AskedRun, revision: number): Promise<Wanted> {
    const owner = this.owners.get(asked.workflow);
    if (!owner) throw new TypeError(`No capability asks for runs of ${asked.workflow}.`);
    const wanted = await owner.lookUp(asked, revision);
    if ('delivered' in wanted) this.#deliveries.delivered(asked.runId, wanted.delivered);
    return wanted;
  }
}
