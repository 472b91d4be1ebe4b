import type { Activity } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import type { EventLog } from '#lib/event-store';
import type { IdSource, RecordedEvent, Rejection } from '#lib/kernel';
import { cannotPerform } from './driver-failures.js';
import { Draft, engineRecorder } from './draft.rules.js';
import type { CallRequest } from './derive.rules.js';
import type { LeaseHolder } from './leases/leases.js';
import type { RunLoader } from './load-run.js';
import { MissingRules } from './missing-rules.js';
import { endOfRun } from './run-end.rules.js';
import type { Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { SetAside } from './set-aside.js';
import type { Time } from './time.js';
import type { RunIndex, RunToWake } from './run-index.js';
import { isRunCategory, type WorkflowRegistry } from './workflow-registry.js';

interface UnattendedParts {
  readonly log: EventLog;
  readonly time: Time;
  readonly ids: IdSource;
  readonly activities: ActivityRegistry<Activity>;
  readonly workflows: WorkflowRegistry;
  readonly holder: LeaseHolder;
  readonly index: RunIndex;
}

const PAGE = 1_000;
/** The most runs without rules that are listed. Others are listed when some of these are gone. */
const MOST_LISTED = 10_000;

/**
 * Runs that have work to do and that no process continues. A run whose rules this process lacks is set aside once no process has driven it for the
 * time of a lease. A process that only reads sets aside every run that it could not continue.
 */
export class UnattendedRuns {
  /** The names of the runs that the current sweep has found. */
  #found = new Set<string>();

  constructor(
    private readonly parts: UnattendedParts,
    private readonly loader: RunLoader,
    private readonly setAside: SetAside,
    private readonly failed: (stream: string, error: unknown) => void,
  ) {}

  /** The runs of an index page for which this process has the rules. The others may be set aside. */
  async attended(page: readonly RunToWake[]): Promise<readonly RunToWake[]> {
    const { time, holder } = this.parts;
    const lacking = page.filter((row) => this.#needs(row) !== undefined);
    if (lacking.length === 0) return page;
    const before = time.now().getTime() - holder.ttlMs;
    for (const row of await this.#free(lacking.filter(({ updatedAt }) => updatedAt <= before)))
      await this.#note(row);
    return page.filter((row) => !lacking.includes(row));
  }

  /** Called after the last page of a sweep. Runs that it did not find have ended, or another process drives them. */
  swept(): void {
    for (const { name, needs } of this.setAside.all)
      if (needs !== undefined && !this.#found.has(name)) this.setAside.remove(name);
    this.#found = new Set();
  }

  /** For a process that only reads: examines all runs that may need a driver. Writes no event. */
  async survey(): Promise<void> {
    const { index, time } = this.parts;
    for (let page = await index.toWake(time.now(), '', PAGE); page.length > 0;) {
      for (const { stream } of page) await this.examine(stream);
      page = await index.toWake(time.now(), page.at(-1)?.place ?? '', PAGE);
    }
  }

  /** `examine` for a run that a caller waits for: if no process has driven it for the time of a lease, and without the limit of the list. */
  lookAt(stream: string): Promise<void> {
    return this.examine(stream, this.parts.holder.ttlMs);
  }

  /**
   * Sets an open run aside if this process could not continue it and no process drives it. Writes no event.
   * @param forMs the least time since the last event of the run, in milliseconds
   */
  async examine(stream: string, forMs = 0): Promise<void> {
    const { log, holder, time } = this.parts;
    if (!isRunCategory(log.streams.parse(stream)?.category ?? '')) return;
    if ((await holder.leases.heldAmong([stream])).length > 0) return;
    try {
      const { events } = await log.load(stream);
      const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
      if (start?.type !== 'WorkflowStarted' || endOfRun(events)) return;
      if (Date.parse(events.at(-1)?.occurredAt ?? '') > time.now().getTime() - forMs) return;
      const needs = this.#needs({ stream, ...start.data, hasEnded: false });
      if (needs !== undefined) throw new MissingRules(stream, needs);
      const run = await this.loader.verified(stream);
      if (run) this.#assertContinues(run);
    } catch (error) {
      this.failed(stream, error);
    }
  }

  /** The missing rules of a run. Rows do not hold the version of the helpers: a run that needs a newer one is found when it is woken. */
  #needs({
    stream,
    version,
    hasEnded,
  }: Pick<RunToWake, 'stream' | 'version' | 'hasEnded'>): string | undefined {
    const { log, workflows } = this.parts;
    const workflow = log.streams.parse(stream)?.category ?? '';
    if (hasEnded || workflows.rulesOf({ workflow, version })) return undefined;
    return `workflow ${workflow}, version ${version}`;
  }

  async #free(rows: readonly RunToWake[]): Promise<readonly RunToWake[]> {
    const held = new Set(await this.parts.holder.leases.heldAmong(rows.map(({ stream }) => stream)));
    return rows.filter(({ stream }) => !held.has(stream));
  }

  /** Sets a run aside whose rules are missing, unless its row is older than its stream. */
  async #note(row: RunToWake): Promise<void> {
    const { stream, revision } = row;
    if (this.setAside.needs(stream) === undefined && this.setAside.size >= MOST_LISTED) return;
    this.#found.add(stream);
    if (this.setAside.isResting(stream)) return;
    const [last] = await this.parts.log.store.readStream(stream, { direction: 'backwards', limit: 1 });
    if (last?.revision === revision) this.failed(stream, new MissingRules(stream, this.#needs(row) ?? ''));
  }

  /** @throws the error that a driver would throw before its first append */
  #assertContinues(run: Run): void {
    const { time, ids, activities } = this.parts;
    let refusal: Rejection | undefined;
    const admits = ({ event, step }: CallRequest) => {
      refusal ??= (activities.named(step.activity) as Activity).preflight(event.data);
      return refusal === undefined;
    };
    const record = engineRecorder(
      () => ids.next(),
      () => time.now().toISOString(),
    );
    new Draft(run, record, admits).settle();
    if (refusal && run.steps.open.size === 0) throw cannotPerform(run.start.stream, refusal);
  }
}
