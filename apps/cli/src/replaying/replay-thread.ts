import { Worker } from 'node:worker_threads';
import { CommandFailed, ThreadLost } from '../error-classes.js';
import type { Answered, FromReplayThread, ReplaySource, ToReplayThread } from './replay-messages.js';

interface Waiting {
  resolve(answer: Answered): void;
  reject(error: Error): void;
}

export function startReplayWorker(source: ReplaySource): Worker {
  return new Worker(new URL('replay-worker.js', import.meta.url), { workerData: source });
}

/** A thread that verifies one range at a time. After a failure or its end, every request is refused with the reason. */
export class ReplayThread {
  #waiting: Waiting | undefined;
  #lost: Error | undefined;

  constructor(private readonly worker: Worker) {
    worker.on('message', (message: FromReplayThread) => {
      if ('failure' in message) this.#lose(new CommandFailed(message.failure));
      else this.#waiting?.resolve(message);
    });
    worker.once('error', ({ message }) => this.#lose(lost(message)));
    worker.once('exit', (code) => this.#lose(lost(`it ended with code ${code}`)));
  }

  /** @throws CommandFailed @throws ThreadLost */
  ask(message: ToReplayThread): Promise<Answered> {
    return new Promise((resolve, reject) => {
      if (this.#lost) return reject(this.#lost);
      this.#waiting = { resolve, reject };
      this.worker.postMessage(message);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#waiting?.reject(this.#lost);
  }
}

function lost(why: string): ThreadLost {
  const fix = 'Replay again, with fewer --jobs if memory was short';
  return new ThreadLost('a thread of redial replay --jobs', why, fix);
}
