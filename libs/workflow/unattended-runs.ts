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
/** Runs without rules that are listed; others are when some of these are gone. */
const MOST_LISTED = 10_000;

/**
 * Runs that have something to do and that no process continues. Those whose rules this process does not have are set aside once nobody has
 * taken them for the time of a lease. A process that only reads sets aside whatever it could not continue.
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

  /** The runs of a page of the index that this process has the rules of. Others are noted. */
  async attended(page: readonly RunToWake[]): Promise<readonly RunToWake[]> {
    const { time, holder } = this.parts;
    const lacking = page.filter((row) => this.#needs(row) !== undefined);
    if (lacking.length === 0) return page;
    const before = time.now().getTime() - holder.ttlMs;
    for (const row of await this.#free(lacking.filter(({ updatedAt }) => updatedAt <= before)))
      await this.#note(row);
    return page.filter((row) => !lacking.includes(row));
  }

  /** After the last page of a sweep: what it did not find has ended, or another process has taken it. */
  swept(): void {
    for (const { name, needs } of this.setAside.all)
      if (needs !== undefined && !this.#found.has(name)) this.setAside.remove(name);
    this.#found = new Set();
  }

  /** For a process that only reads: all runs that it could not continue and that no process drives now. Nothing is written. */
  async survey(): Promise<void> {
    const { index, time } = this.parts;
    for (let page = await index.toWake(time.now(), '', PAGE); page.length > 0;) {
      for (const { stream } of page) await this.examine(stream);
      page = await index.toWake(time.now(), page.at(-1)?.place ?? '', PAGE);
    }
  }

  /** As `examine`, for a run that a caller waits for: once no process has taken it for the time of a lease, however many are listed. */
  lookAt(stream: string): Promise<void> {
    return this.examine(stream, this.parts.holder.ttlMs);
  }

  /**
   * Sets an open run aside that this process could not continue, unless a process drives it. Nothing is written.
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

  /** Rows do not hold the version of the helpers: a run that needs a newer one is found when it is woken. */
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

  /** The row may be older than the stream. */
  async #note(row: RunToWake): Promise<void> {
    const { stream, revision } = row;
    if (this.setAside.needs(stream) === undefined && this.setAside.size >= MOST_LISTED) return;
    this.#found.add(stream);
    if (this.setAside.isResting(stream)) return;
    const [last] = await this.parts.log.store.readStream(stream, { direction: 'backwards', limit: 1 });
    if (last?.revision === revision) this.failed(stream, new MissingRules(stream, this.#needs(row) ?? ''));
  }

  /** @throws what a driver would throw before its first append */
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
