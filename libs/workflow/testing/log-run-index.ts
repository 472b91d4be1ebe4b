import type { ActivityRegistry } from '../activity/activity-registry.js';
import type { EventLog } from '#lib/event-store';
import type { Clock, RecordedEvent } from '#lib/kernel';
import { foldSteps, isExternal, type OpenStep, timedSteps } from '../run.decider.js';
import type { WorkflowStarted } from '../runtime.events.js';
import type { RunIndex, RunToWake } from '../run-index.js';

/** The index of runs, read from the log itself in place of a projection. */
export class LogRunIndex implements RunIndex {
  constructor(
    private readonly log: EventLog,
    private readonly activities: ActivityRegistry,
    private readonly clock: Clock,
    private readonly lagMs = 0,
  ) {}

  async toWake(before: Date, after: string, limit: number): Promise<readonly RunToWake[]> {
    const all = await this.log.decodeAll(await this.log.store.readAll({ limit: Number.MAX_SAFE_INTEGER }));
    const until = new Date(this.clock.now().getTime() - this.lagMs).toISOString();
    const seen = all.filter(({ occurredAt }) => occurredAt <= until);
    const runs = groupByStream(seen);
    const rows = [...runs].flatMap(([stream, events]) => this.#row(stream, events, before, seen));
    return rows
      .toSorted((one, other) => (one.stream < other.stream ? -1 : 1))
      .filter(({ stream }) => stream > after)
      .slice(0, limit);
  }

  /** For runs that the streams of capabilities ask for, see `Ledger`. */
  toBegin(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  #row(
    stream: string,
    events: readonly RecordedEvent[],
    before: Date,
    all: readonly RecordedEvent[],
  ): RunToWake[] {
    const last = events.at(-1);
    const start = events[0] as RecordedEvent<WorkflowStarted> | undefined;
    if (!last || start?.type !== 'WorkflowStarted') return [];
    const steps = foldSteps(events, this.activities);
    const { version } = start.data;
    const hasEnded = steps.end !== undefined;
    const updatedAt = Date.parse(last.occurredAt);
    const row = { place: stream, stream, revision: last.revision, version, updatedAt, hasEnded };
    if (hasEnded) return this.#isDelivered(stream, events, all) ? [] : [row];
    const isDue = [...steps.open.values()].some(
      (step) => step.kind === 'call' || this.#isUnstarted(step, all),
    );
    if (isDue || isExternal(last, this.activities)) return [row];
    const dueAt = timedSteps(steps)[0]?.dueAt ?? Infinity;
    return dueAt < before.getTime() ? [{ ...row, dueAt }] : [];
  }

  #isUnstarted(step: OpenStep, all: readonly RecordedEvent[]): boolean {
    if (step.kind !== 'child') return false;
    const child = this.log.streams.of(step.workflow, step.runId);
    return !all.some(({ stream }) => stream === child);
  }

  #isDelivered(stream: string, [start]: readonly RecordedEvent[], all: readonly RecordedEvent[]): boolean {
    const { owner } = (start as RecordedEvent<{ type: string; data: { owner?: { run: string } } }>).data;
    const runId = this.log.streams.parse(stream)?.id;
    return (
      !owner ||
      all.some(
        ({ type, data }) =>
          (type === 'ChildEnded' || type === 'EndTaken') && 'runId' in data && data.runId === runId,
      )
    );
  }
}

function groupByStream(events: readonly RecordedEvent[]): ReadonlyMap<string, readonly RecordedEvent[]> {
  const groups = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.stream);
    if (group) group.push(event);
    else groups.set(event.stream, [event]);
  }
  return groups;
}
