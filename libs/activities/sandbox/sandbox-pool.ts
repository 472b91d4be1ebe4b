import { Worker } from 'node:worker_threads';
import { withLinkedSignal } from '#lib/workflow';
import type { SandboxResult, WholeSlice } from '#lib/call-rules';
import { SandboxThread } from './sandbox-thread.js';

/** The longest time that a thread may take to start, and the time that it stays without a slice. */
const TIMES = { startMs: 30_000, idleMs: 30_000 };
/** A thread needs more than the default stack for the 256 KiB of a program's stack. */
const STACK_MB = 8;

function sandboxWorker(): Worker {
  return new Worker(new URL(import.meta.resolve('#lib/activities/sandbox/sandbox-worker.mjs')), {
    env: { TZ: 'UTC' },
    execArgv: [],
    resourceLimits: { stackSizeMb: STACK_MB },
  });
}

/** Threads in which programs run. An endless program blocks only its own thread. */
export class SandboxPool {
  readonly #idle = new Map<SandboxThread, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param mostThreads the most slices that run at once; others wait */
  constructor(
    mostThreads: number,
    private readonly makeWorker: () => Worker = sandboxWorker,
    private readonly times = TIMES,
  ) {
    this.#free = mostThreads;
  }

  /** @throws SliceTimedOut @throws SliceTooDeep @throws ThreadNotReady @throws DOMException `AbortError` after the signal, or when the pool closes */
  run(slice: WholeSlice, signal?: AbortSignal): Promise<SandboxResult> {
    return withLinkedSignal(this.#closing.signal, async (closing) => {
      const stop = signal ? AbortSignal.any([closing, signal]) : closing;
      await this.#turn(stop);
      try {
        return await this.#runNow(slice, stop);
      } finally {
        this.#pass();
      }
    });
  }

  close(): void {
    this.#closing.abort();
    for (const thread of this.#idle.keys()) thread.end();
  }

  async #runNow(slice: WholeSlice, stop: AbortSignal): Promise<SandboxResult> {
    const thread = this.#taken() ?? (await this.#started(stop));
    const result = await thread.run(slice, stop);
    this.#rest(thread);
    return result;
  }

  /** Keeps the thread for a while. A thread that is being ended is given no slice. */
  #rest(thread: SandboxThread): void {
    const end = () => {
      this.#forget(thread);
      thread.end();
    };
    this.#idle.set(thread, setTimeout(end, this.times.idleMs).unref());
  }

  async #started(stop: AbortSignal): Promise<SandboxThread> {
    const thread = new SandboxThread(this.makeWorker());
    thread.onEnd(() => this.#forget(thread));
    await thread.ready(this.times.startMs, stop);
    return thread;
  }

  #taken(): SandboxThread | undefined {
    const [thread] = this.#idle.keys();
    if (thread) this.#forget(thread);
    return thread;
  }

  #forget(thread: SandboxThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  async #turn(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#next(stop);
  }

  #next(stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(go);
        reject(stop.reason as Error);
      };
      const go = () => {
        stop.removeEventListener('abort', leave);
        resolve();
      };
      stop.addEventListener('abort', leave);
      this.#waiting.add(go);
    });
  }

  /** Gives the place to the slice that has waited longest. */
  #pass(): void {
    const [go] = this.#waiting;
    if (!go) this.#free += 1;
    else {
      this.#waiting.delete(go);
      go();
    }
  }
}
