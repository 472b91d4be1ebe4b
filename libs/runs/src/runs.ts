import type { ActivityRegistry } from '#lib/activity';
import { type EventLog, parsePosition } from '#lib/event-store';
import { derivedId, isRejection, type Json, type RecordedEvent, type Rejection } from '#lib/kernel';
import type { Page, PageRequest, ReadStore } from '#lib/projections';
import {
  type Answer,
  type Answered,
  type RunCommands,
  runRejections,
  type SignalInput,
  type Verification,
  verifyRun,
  type Workflow,
  type WorkflowRegistry,
  type WorkflowRuntime,
  type WorkflowStarted,
} from '#lib/workflow';
import { type RunView, runView } from './run-view.js';
import { listRuns, type RunFilter, type RunSummary } from './runs.read-model.js';

/** Who asks, and how a repeated call is recognized. */
export interface RunCall {
  readonly commandId: string;
  readonly fingerprint: string;
  readonly actor: string;
}

export interface StartRunInput {
  readonly workflow: string;
  readonly input: Json;
  /** Milliseconds to wait for the run to end or to wait for someone. Default 0. */
  readonly waitMs?: number;
}

export interface RunsParts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry;
  readonly runtime: WorkflowRuntime;
  readonly commands: RunCommands;
  readonly now: () => Date;
}

/** Runs of any workflow: start, look, signal, cancel, replay. Refusals are values. */
export class Runs {
  constructor(private readonly parts: RunsParts) {}

  /** The same call again answers the run that it started. */
  async startRun(
    { workflow, input, waitMs = 0 }: StartRunInput,
    call: RunCall,
  ): Promise<RunView | Rejection> {
    const { runtime, workflows, log } = this.parts;
    if (workflows.named(workflow)?.internal) return runRejections.unknownWorkflow(workflow, workflows);
    const runId = derivedId(call.commandId, 'run');
    const metadata = { ...this.#metadata(call), correlationId: runId };
    const started = await runtime.startRun({ workflow, input, runId, metadata });
    if (isRejection(started)) return started;
    if (waitMs > 0) await this.#settled(runId, started.position ?? (await log.store.head()), waitMs);
    return this.getRun(runId);
  }

  /** @param waitMs how long to wait for the run to end, or to wait for someone */
  async getRun(runId: string, waitMs = 0): Promise<RunView | Rejection> {
    const view = await this.#view(runId);
    if (waitMs === 0 || isRejection(view) || view.status !== 'running') return view;
    const head = await this.parts.log.store.head();
    await this.#settled(runId, head, waitMs);
    return this.#view(runId);
  }

  async #view(runId: string): Promise<RunView | Rejection> {
    const history = await this.#history(runId);
    if (isRejection(history)) return history;
    return runView(runId, history, this.parts.activities) ?? runRejections.unknownRun(runId);
  }

  /** Newest first. */
  listRuns(filter: RunFilter, request?: PageRequest): Promise<Page<RunSummary> | Rejection> {
    return listRuns(this.parts.store.db, filter, request);
  }

  async runEvents(runId: string): Promise<readonly RecordedEvent[] | Rejection> {
    return this.#history(runId);
  }

  /** Answers one await. The second of two answers is refused as `not-awaited`. */
  async signalRun(runId: string, input: SignalInput, call: RunCall): Promise<RunView | Rejection> {
    return this.#answered(runId, (answer) => this.parts.commands.signal(runId, input, answer), call);
  }

  /** Asks the run to end: its calls are aborted, what else is open is cancelled. */
  async cancelRun(runId: string, reason: string | undefined, call: RunCall): Promise<RunView | Rejection> {
    return this.#answered(runId, (answer) => this.parts.commands.cancel(runId, reason, answer), call);
  }

  /** Derives the run again from its record and compares. */
  async replayRun(runId: string): Promise<Verification | Rejection> {
    const history = await this.#history(runId);
    if (isRejection(history)) return history;
    const [start] = history as readonly RecordedEvent<WorkflowStarted>[];
    const { log, workflows, activities } = this.parts;
    const context = start?.data.context;
    const read = context && (await log.readStream(context.stream, { limit: context.revision + 1 }));
    return verifyRun(workflows.named(start?.data.workflow ?? '') as Workflow, activities, history, read);
  }

  async #answered(
    runId: string,
    command: (answer: Answer) => Promise<Answered | Rejection>,
    call: RunCall,
  ): Promise<RunView | Rejection> {
    const answer = { eventId: derivedId(call.commandId, 'answer'), metadata: this.#metadata(call) };
    const answered = await command(answer);
    return isRejection(answered) ? answered : this.getRun(runId);
  }

  async #history(runId: string): Promise<readonly RecordedEvent[] | Rejection> {
    const stream = await this.parts.commands.streamOf(runId);
    return stream === undefined ? runRejections.unknownRun(runId) : this.parts.log.readStream(stream);
  }

  async #settled(runId: string, after: string | undefined, waitMs: number): Promise<void> {
    const { store } = this.parts.log;
    const from = after === undefined ? undefined : parsePosition(store.logId, after);
    for await (const batch of store.subscribe(from, AbortSignal.timeout(waitMs))) {
      // The first empty batch: what came before the subscription is looked at once.
      if (batch.length > 0 && !batch.some(({ stream }) => stream.endsWith(runId))) continue;
      const view = await this.#view(runId);
      if (isRejection(view) || view.status !== 'running') return;
    }
  }

  #metadata({ commandId, fingerprint, actor }: RunCall) {
    const occurredAt = this.parts.now().toISOString();
    return {
      occurredAt,
      correlationId: commandId,
      causationId: commandId,
      commandId,
      commandFingerprint: fingerprint,
      actor,
    };
  }
}
