import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventLog, type NewEvent, RevisionConflict, StoreUnavailable } from '#lib/event-store';
import {
  type Clock,
  type CommandEnvelope,
  type Event,
  type IdSource,
  type RecordedEvent,
  RedialError,
} from '#lib/kernel';
import { type LeaseHolder, type Leases, underLease } from '#lib/workflow';
import type { Activities } from './activities.js';
import type { RunnerSettings } from './runner-settings.js';
import type { Workflow } from './workflow.js';

/** One workflow to bring to its end. Its stream holds the start event already. */
export interface WorkflowRun<State, E extends Event> {
  readonly workflow: Workflow<State, E>;
  readonly stream: string;
  readonly activities: Activities<E>;
  /** On whose behalf its events are appended. */
  readonly envelope: Pick<CommandEnvelope, 'commandId' | 'correlationId' | 'causationId' | 'actor'>;
}

/** The process is on its way down and begins nothing new. What was recorded stays, and is finished by the next process. */
export class RunnerStopped extends RedialError {}

/** This process lacks what the workflow needs next. Nothing of it was recorded. */
export class CannotPerform extends RedialError {}

interface Progress<State, E extends Event> {
  readonly state: State;
  readonly last: RecordedEvent<E>;
}

const POLL_MS = 100;
const OUTCOME_ATTEMPTS = 5;

/**
 * Brings workflows to their end, one small step at a time, under a lease. One request event is at most one call on the
 * wire: a request found without an outcome belongs to a process that died, and is marked as interrupted.
 */
export class WorkflowRunner {
  private readonly running = new Map<string, Promise<RecordedEvent>>();
  private readonly abort = new AbortController();
  private stopping = false;

  constructor(
    private readonly log: EventLog,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly settings: RunnerSettings,
  ) {
    // One for each call in flight, however many those are.
    setMaxListeners(0, this.abort.signal);
  }

  /**
   * The end event. Whoever asks for a workflow that is running, here or in another process, waits for that same end.
   * @throws RunnerStopped | CannotPerform | StoreUnavailable: the workflow stays open and is finished by recovery.
   */
  run<State, E extends Event>(run: WorkflowRun<State, E>): Promise<RecordedEvent<E>> {
    const running = this.running.get(run.stream);
    if (running) return running as Promise<RecordedEvent<E>>;
    const started = this.runUnderLease(run).finally(() => this.running.delete(run.stream));
    this.running.set(run.stream, started);
    return started;
  }

  /**
   * Takes the lease of a workflow that is about to be begun: a store that cannot be written says so before anything of it is
   * recorded. Should it never be begun, the lease runs out.
   * @throws StoreUnavailable | RunnerStopped
   */
  async claim(stream: string): Promise<void> {
    if (this.stopping) throw stopped(stream);
    await this.leases.acquire(stream, this.settings.owner, this.settings.leaseTtlMs);
  }

  /** As `run`, but leaves alone what somebody is running now: `undefined` then. */
  async recover<State, E extends Event>(run: WorkflowRun<State, E>): Promise<RecordedEvent<E> | undefined> {
    if (this.stopping || this.running.has(run.stream)) return undefined;
    const { last } = await this.progress(run);
    if (run.workflow.endTypes.includes(last.type)) return last;
    if (!(await this.leases.acquire(run.stream, this.settings.owner, this.settings.leaseTtlMs)))
      return undefined;
    return this.run(run);
  }

  /** Begins nothing new, gives what is in flight `graceMs` to finish, then aborts it: it is recorded as interrupted. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    const ended = Promise.allSettled(this.running.values());
    const patience = new AbortController();
    await Promise.race([
      ended,
      delay(graceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    this.abort.abort();
    await ended;
  }

  private async runUnderLease<State, E extends Event>(run: WorkflowRun<State, E>): Promise<RecordedEvent<E>> {
    const { owner, leaseTtlMs: ttlMs } = this.settings;
    const holder: LeaseHolder = { leases: this.leases, owner, ttlMs };
    for (;;) {
      const { last } = await this.progress(run);
      if (run.workflow.endTypes.includes(last.type)) return last;
      if (this.stopping) throw stopped(run.stream);
      const driven = await underLease(holder, run.stream, () => this.drive(run));
      if (driven?.result) return driven.result;
      await delay(POLL_MS);
    }
  }

  /** @returns the end, or `undefined` when another process has taken the workflow over. */
  private async drive<State, E extends Event>(
    run: WorkflowRun<State, E>,
  ): Promise<RecordedEvent<E> | undefined> {
    let progress = await this.progress(run);
    while (!run.workflow.endTypes.includes(progress.last.type)) {
      try {
        progress = await this.step(run, progress);
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw error;
        if (!(await this.leases.acquire(run.stream, this.settings.owner, this.settings.leaseTtlMs)))
          return undefined;
        progress = await this.progress(run);
      }
    }
    return progress.last;
  }

  private async step<State, E extends Event>(
    run: WorkflowRun<State, E>,
    progress: Progress<State, E>,
  ): Promise<Progress<State, E>> {
    const { workflow } = run;
    const orphan = workflow.pending(progress.state);
    if (orphan) return this.append(run, progress, workflow.failed(orphan, interrupted(orphan)));
    const step = workflow.next(progress.state);
    if (step.kind !== 'perform') return this.append(run, progress, step.event);
    this.checkPerformable(run, step.request);
    const requested = await this.append(run, progress, step.request);
    const outcome = await run.activities.perform(step.request, this.abort.signal);
    return this.appendOutcome(run, requested, outcome);
  }

  private checkPerformable<State, E extends Event>(
    { stream, activities }: WorkflowRun<State, E>,
    request: E,
  ): void {
    if (this.stopping) throw stopped(stream);
    const refusal = activities.preflight(request);
    if (refusal)
      throw new CannotPerform(
        `${request.type} of ${stream}`,
        refusal.message,
        'Mend that; the workflow goes on then',
      );
  }

  private async progress<State, E extends Event>({
    workflow,
    stream,
  }: WorkflowRun<State, E>): Promise<Progress<State, E>> {
    const [start, ...rest] = await this.log.readStream<E>(stream);
    if (!start)
      throw new CannotPerform(`workflow ${stream}`, 'its stream is empty', 'Append its start event first');
    const state = rest.reduce(
      (folded, event) => workflow.evolve(folded, event),
      workflow.initialState(start),
    );
    return { state, last: rest.at(-1) ?? start };
  }

  /** What was paid for is not given up because the store is busy for a moment: the same ids make a repeat harmless. */
  private async appendOutcome<State, E extends Event>(
    run: WorkflowRun<State, E>,
    requested: Progress<State, E>,
    outcome: E,
  ): Promise<Progress<State, E>> {
    const eventId = this.ids.next();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.append(run, requested, outcome, eventId);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || attempt === OUTCOME_ATTEMPTS) throw error;
        await delay(POLL_MS * attempt);
      }
    }
  }

  private async append<State, E extends Event>(
    { workflow, stream, envelope }: WorkflowRun<State, E>,
    { state, last }: Progress<State, E>,
    event: E,
    eventId = this.ids.next(),
  ): Promise<Progress<State, E>> {
    const occurredAt = this.clock.now().toISOString();
    const metadata = { ...envelope, causationId: last.eventId, occurredAt };
    const entry: NewEvent<E> = { eventId, event, metadata };
    // What is folded is what a reader of the log will fold, not the object that was written.
    const { events } = await this.log.append<E>(stream, last.revision, [entry]);
    const recorded = events[0] as RecordedEvent<E>;
    return { state: workflow.evolve(state, recorded), last: recorded };
  }
}

function interrupted(request: Event) {
  const message = `The process that performed ${request.type} ended before it knew the outcome.`;
  return { kind: 'interrupted', message, retryable: true, durationMs: 0 } as const;
}

function stopped(stream: string): RunnerStopped {
  return new RunnerStopped(
    `workflow ${stream}`,
    'this process is stopping',
    'Ask again once it, or another one, is up',
  );
}
