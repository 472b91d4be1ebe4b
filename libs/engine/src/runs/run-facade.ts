import { type IdSource, isRejection, type RecordedEvent, type Rejection } from '#lib/kernel';
import { type Call, callOf, type CallOptions, ReadSide, type ReadOptions, refuse } from '#lib/operations';
import type { Page, PageRequest } from '#lib/projections';
import type { RunFilter, Runs, RunSummary, RunView, StartRunInput } from '#lib/runs';
import type { SignalInput, Verification } from '#lib/workflow';

/** Runs of workflows, for code. Refusals are thrown as `RejectionError`. */
export class RunFacade {
  constructor(
    private readonly runs: Runs,
    private readonly reads: ReadSide,
    private readonly ids: IdSource,
  ) {}

  /** Starts a run; with an idempotency key, once. */
  startRun(input: StartRunInput, options: CallOptions = {}): Promise<RunView> {
    return granted(this.runs.startRun(input, this.#call('startRun', input, options)));
  }

  /** @param waitMs how long to wait for the run to end, or to wait for someone */
  getRun(runId: string, { waitMs }: { readonly waitMs?: number } = {}): Promise<RunView> {
    return granted(this.runs.getRun(runId, waitMs));
  }

  /** Newest first. */
  async listRuns(
    filter: RunFilter = {},
    request: PageRequest = {},
    options: ReadOptions = {},
  ): Promise<Page<RunSummary>> {
    await (options.minPosition === undefined
      ? this.reads.caughtUp(['runs'])
      : this.reads.reached(['runs'], options.minPosition));
    return granted(this.runs.listRuns(filter, request));
  }

  /** Every event of a run, in order. */
  runEvents(runId: string): Promise<readonly RecordedEvent[]> {
    return granted(this.runs.runEvents(runId));
  }

  /** Answers what a run waits for. */
  signalRun(runId: string, input: SignalInput, options: CallOptions = {}): Promise<RunView> {
    return granted(this.runs.signalRun(runId, input, this.#call(`signalRun ${runId}`, input, options)));
  }

  cancelRun(runId: string, reason?: string, options: CallOptions = {}): Promise<RunView> {
    const call = this.#call(`cancelRun ${runId}`, { reason: reason ?? null }, options);
    return granted(this.runs.cancelRun(runId, reason, call));
  }

  /** Derives a run again from its record. */
  replayRun(runId: string): Promise<Verification> {
    return granted(this.runs.replayRun(runId));
  }

  #call(operation: string, input: unknown, options: CallOptions): Call {
    return callOf(operation, input, options, this.ids);
  }
}

async function granted<T>(answer: Promise<T | Rejection>): Promise<T> {
  const granted = await answer;
  return isRejection(granted) ? refuse(granted) : granted;
}
