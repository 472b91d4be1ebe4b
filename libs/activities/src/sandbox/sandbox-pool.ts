import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { SandboxResult, WholeSlice } from '#lib/calls';

/** The slice ran for as long as it may; its thread was ended. */
export class SliceTimedOut extends Error {
  override readonly name = 'SliceTimedOut';
}

const IDLE_MS = 30_000;
/** For 256 KiB of a program's stack the thread needs more than the default. */
const STACK_MB = 8;

/** Threads in which programs run: an endless program blocks none but its own. */
export class SandboxPool {
  readonly #threads: Piscina;

  constructor(mostThreads: number) {
    this.#threads = new Piscina({
      filename: new URL('./sandbox-worker.mjs', import.meta.url).href,
      minThreads: 0,
      maxThreads: mostThreads,
      idleTimeout: IDLE_MS,
      atomics: 'disabled',
      env: { TZ: 'UTC' },
      execArgv: [],
      resourceLimits: { stackSizeMb: STACK_MB },
    });
  }

  /** @throws SliceTimedOut @throws DOMException `AbortError` after the signal */
  async run(slice: WholeSlice, signal?: AbortSignal): Promise<SandboxResult> {
    const limit = new AbortController();
    const { port1: begun, port2: told } = new MessageChannel();
    const stop = () => limit.abort();
    signal?.addEventListener('abort', stop, { once: true });
    const timer = stopAfter(told, slice.program.limits.timeMs, () =>
      limit.abort(new SliceTimedOut(`The program ran for more than ${slice.program.limits.timeMs} ms.`)),
    );
    try {
      if (signal?.aborted) stop();
      const task = { slice, begun };
      return (await this.#threads.run(task, {
        signal: limit.signal,
        transferList: [begun],
      })) as SandboxResult;
    } catch (error) {
      throw limit.signal.reason instanceof SliceTimedOut ? limit.signal.reason : error;
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', stop);
    }
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }
}

/** The time counts from when the thread has taken the slice: not while the thread is made. */
function stopAfter(told: MessagePort, timeMs: number, stop: () => void): { cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  told.once('message', () => {
    timer = setTimeout(stop, timeMs);
  });
  return {
    cancel: () => {
      clearTimeout(timer);
      told.close();
    },
  };
}
