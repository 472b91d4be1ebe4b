import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { withTimeLimit } from '#lib/workflow';
import type { SandboxResult, WholeSlice } from '#lib/call-rules';
import { answersChecks } from './value-checks.js';

/** The slice reached its time limit, and its thread was ended. */
export class SliceTimedOut extends Error {
  override readonly name = 'SliceTimedOut';
}

/** The program overflowed the stack of its thread. The point at which that happens differs between machines. */
export class SliceTooDeep extends Error {
  override readonly name = 'SliceTooDeep';
}

/** A thread was not ready in time. The slice has not run. */
export class ThreadNotReady extends Error {
  override readonly name = 'ThreadNotReady';
}

/** A thread that runs one slice at a time. After any failure it has ended. */
export class SandboxThread {
  /** @param worker sends one message when it is ready, and then one result for each slice, or `too deep` */
  constructor(private readonly worker: Worker) {
    worker.unref();
    // Without a listener an error between two slices would end the process.
    worker.on('error', () => undefined);
  }

  /** @throws ThreadNotReady @throws DOMException `AbortError` after the signal */
  async ready(withinMs: number, signal: AbortSignal): Promise<void> {
    await this.#message(signal, withinMs, () => {
      return new ThreadNotReady(`The thread of the sandbox was not ready after ${withinMs} ms.`);
    });
  }

  /** @throws SliceTimedOut @throws SliceTooDeep @throws DOMException `AbortError` after the signal */
  async run(slice: WholeSlice, signal: AbortSignal): Promise<SandboxResult> {
    const { timeMs } = slice.program.limits;
    const checks = answersChecks(slice.objects);
    this.worker.postMessage({ slice, checks }, [checks]);
    const result = await this.#message(signal, timeMs, () => {
      return new SliceTimedOut(`The program ran for more than ${timeMs} ms.`);
    });
    if (result !== 'too deep') return result as SandboxResult;
    this.end();
    throw new SliceTooDeep('The code is nested too deeply, or called itself too deeply.');
  }

  onEnd(listener: () => void): void {
    this.worker.once('exit', listener);
  }

  end(): void {
    void this.worker.terminate();
  }

  async #message(signal: AbortSignal, withinMs: number, late: () => Error): Promise<unknown> {
    let isOver = false;
    const next = async (limited: AbortSignal) => {
      limited.addEventListener('abort', () => (isOver = true));
      const [message] = (await once(this.worker, 'message', { signal: limited })) as [unknown];
      return message;
    };
    try {
      return await withTimeLimit(signal, withinMs, next);
    } catch (error) {
      this.end();
      throw isOver && !signal.aborted ? late() : error;
    }
  }
}
