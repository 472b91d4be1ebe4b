import type { Activity } from '../activity/activity.js';
import { ActivityRegistry } from '../activity/activity-registry.js';
import {
  EventCodec,
  EventLog,
  type EventStore,
  InMemoryEventStore,
  StreamHistory,
  StreamNames,
} from '#lib/event-store';
import { derivedId, type Event, isRejection, type Json, randomIds, type RecordedEvent } from '#lib/kernel';
import type { Leases } from '../leases/leases.js';
import { type RunEnd, runtimeEventDefinitions, type WorkflowStarted } from '../runtime.events.js';
import { RunCommands } from '../run-commands.js';
import { WorkflowRuntime } from '../runtime.js';
import type { RuntimeParts } from '../runtime-parts.js';
import { usedStream } from '../context-reference.js';
import { verifyRun } from '../verify-run.js';
import type { Workflow } from '../workflow.js';
import { WorkflowRegistry } from '../workflow-registry.js';
import { InMemoryLeases } from './in-memory-leases.js';
import { Ledger } from './ledger.js';
import { LogRunIndex } from './log-run-index.js';
import { VirtualTime } from '../virtual-time.js';

export const LEASE_MS = 15_000;
export const SWEEP_MS = 5_000;

/** A log, leases and time that the processes of a test share. */
export class RuntimeSetting {
  readonly time = new VirtualTime();
  readonly memory = new InMemoryEventStore();
  readonly leases = new InMemoryLeases(this.time);
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry<Activity>;
  readonly warnings: string[] = [];
  readonly discarded: Event[] = [];
  readonly deltas: string[] = [];
  #processes = 0;
  #runs = 0;

  constructor(workflows: readonly Workflow[], activities: readonly Activity[]) {
    this.workflows = new WorkflowRegistry(workflows);
    this.activities = new ActivityRegistry(activities);
  }

  /** The log, seen through a store that a test may have changed. */
  logOf(store: EventStore = this.memory): EventLog {
    const own = [
      ...this.workflows.all.map(({ events = {} }) => events),
      ...this.activities.all.map(({ definitions }) => definitions),
    ];
    const codec = new EventCodec([runtimeEventDefinitions, Ledger.events, Object.assign({}, ...own)]);
    return new EventLog(store, codec, new StreamNames());
  }

  /** A process that shares log and leases with the others. */
  process(changes: Partial<RuntimeParts> & { store?: EventStore; leases?: Leases } = {}): WorkflowRuntime {
    const { store, leases = this.leases, time = this.time, ...parts } = changes;
    const log = this.logOf(store);
    return new WorkflowRuntime({
      log,
      time,
      ids: randomIds,
      workflows: this.workflows,
      activities: this.activities,
      facts: {},
      problemsOf: () => [],
      holder: { leases, owner: `process-${this.#processes++}`, ttlMs: LEASE_MS, time },
      index: new LogRunIndex(this.logOf(), this.activities, this.time),
      sweepMs: SWEEP_MS,
      callLimit: () => 10,
      checksRules: true,
      owners: new Map(),
      observer: {
        warn: (message) => this.warnings.push(message),
        outcomeDiscarded: (_, outcome) => this.discarded.push(outcome),
        delta: (_, stepId, text) => this.deltas.push(`${stepId} ${text}`),
      },
      ...parts,
    });
  }

  get commands(): RunCommands {
    const { workflows, activities } = this;
    return new RunCommands({
      log: this.logOf(),
      workflows,
      activities,
      problemsOf: () => [],
      redact: (value) => value,
    });
  }

  nextRunId(): string {
    return derivedId('6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11', String(this.#runs++));
  }

  metadata() {
    const id = randomIds.next();
    return {
      occurredAt: this.time.now().toISOString(),
      correlationId: id,
      causationId: id,
      commandId: id,
      actor: 'spec',
    };
  }

  /** @returns the run's id */
  async begin(process: WorkflowRuntime, workflow: string, input: Json = {}): Promise<string> {
    const runId = this.nextRunId();
    const started = await process.startRun({ workflow, input, runId, metadata: this.metadata() });
    if (isRejection(started)) throw new Error(started.message);
    return runId;
  }

  async history(workflow: string, runId: string): Promise<readonly RecordedEvent[]> {
    const log = this.logOf();
    return log.readStream(log.streams.of(workflow, runId));
  }

  async typesOf(workflow: string, runId: string): Promise<readonly string[]> {
    return (await this.history(workflow, runId)).map(({ type }) => type);
  }

  async endOf(workflow: string, runId: string): Promise<RunEnd | undefined> {
    const last = (await this.history(workflow, runId)).at(-1);
    return last?.type === 'WorkflowEnded' ? (last.data as RunEnd) : undefined;
  }

  async #usedBy([start]: readonly RecordedEvent[]): Promise<StreamHistory> {
    const used = usedStream((start as RecordedEvent<WorkflowStarted>).data);
    if (!used) return new StreamHistory();
    const log = this.logOf();
    return (await log.load(log.streams.withPrefix(used.stream))).upTo(used.revision);
  }

  /** @throws Error if the history does not derive again */
  async verify(workflow: string, runId: string): Promise<void> {
    const known = this.workflows.named(workflow) as Workflow;
    const history = await this.history(workflow, runId);
    const { divergence } = verifyRun(known, this.activities, history, await this.#usedBy(history));
    if (divergence) throw new Error(JSON.stringify(divergence));
  }
}
