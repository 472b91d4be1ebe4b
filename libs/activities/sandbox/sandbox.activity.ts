import { availableParallelism } from 'node:os';
import { type Activity, type Outcome, LONGEST_TIMER_MS, stopwatch } from '#lib/workflow';
import {
  type SandboxMemory,
  type SandboxResult,
  sandboxRules,
  type WholeSlice,
  wholeSlice,
} from '#lib/call-rules';
import { loadPart, PackageMissing } from '#lib/kernel';
import { messageOf } from '../message-of.js';
import { SandboxPool } from './sandbox-pool.js';
import { SliceTimedOut, SliceTooDeep, ThreadNotReady } from './sandbox-thread.js';

/** Runs programs of models in threads, which start with the first program. */
export class Sandbox {
  readonly threads = Math.max(1, availableParallelism() - 1);
  readonly #pool = new SandboxPool(this.threads);
  /** The thread of all replays. Runs do not wait for it. */
  readonly #replays = new SandboxPool(1);

  /** @throws PackageMissing @throws SliceTimedOut @throws SliceTooDeep @throws ThreadNotReady */
  run(slice: WholeSlice, signal?: AbortSignal): Promise<SandboxResult> {
    return loadPart('code', () => this.#pool.run(slice, signal));
  }

  /** For a replay: one slice at a time, beside all runs. */
  rerun(slice: WholeSlice, signal: AbortSignal): Promise<SandboxResult> {
    return loadPart('code', () => this.#replays.run(slice, signal));
  }

  /** The `build` of its results. Rejects if a package is missing. */
  async build(): Promise<string> {
    return (await import('./build.mjs')).BUILD;
  }

  close(): void {
    this.#pool.close();
    this.#replays.close();
  }
}

/** Deterministic except for its time limit and the stack of its thread: replay runs a completed slice again. */
export function sandboxActivity(sandbox: Sandbox): Activity<SandboxMemory> {
  return {
    ...sandboxRules,
    pool: () => ({ name: 'sandbox', limit: sandbox.threads }),
    preflight: () => undefined,
    perform: async (request, { signal }, memory) => {
      const elapsedMs = stopwatch();
      try {
        const result = await sandbox.run(wholeSlice(request, memory), signal);
        return { completed: { ...result, durationMs: elapsedMs() } };
      } catch (error) {
        return failed(error, signal.aborted, elapsedMs());
      }
    },
    recompute: async (request, { build, stepId, durationMs }, memory, signal) => {
      const slice = untimed(wholeSlice(request, memory));
      try {
        if ((await sandbox.build()) !== build) return undefined;
        return { stepId, ...(await sandbox.rerun(slice, signal)), durationMs };
      } catch {
        // Time, packages, memory and the stack of a thread depend on this machine, and show nothing about the record.
        return undefined;
      }
    },
  };
}

/**
 * The slice without its time limit, because the record may come from a faster machine. Ticks bound the program, and the signal of the replay bounds
 * its native work.
 */
function untimed({ program, ...slice }: WholeSlice): WholeSlice {
  return { ...slice, program: { ...program, limits: { ...program.limits, timeMs: LONGEST_TIMER_MS } } };
}

function failed(error: unknown, isAborted: boolean, durationMs: number): Outcome {
  const failure = (kind: string, message: string, retryable = false): Outcome => ({
    failed: { failure: { kind, message, retryable, durationMs } },
  });
  if (isAborted) return failure('interrupted', 'The program was stopped.', true);
  if (error instanceof PackageMissing) return failure('configuration', error.message);
  if (error instanceof SliceTimedOut) return failure('time-limit', error.message);
  if (error instanceof SliceTooDeep) return failure('too-deep', error.message);
  if (error instanceof ThreadNotReady) return failure('interrupted', error.message, true);
  return failure('sandbox', messageOf(error));
}
