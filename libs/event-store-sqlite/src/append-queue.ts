import type { Worker } from 'node:worker_threads';
import type { StoreUnavailable } from '#lib/event-store';
import type { AppendOutcome, AppendRequest, FromAppendWorker, ToAppendWorker } from './append-messages.js';
import { packAppends } from './packed-appends.mjs';
import { unavailable } from './unavailable.js';

type Decided = Exclude<AppendOutcome, { kind: 'failed' }>;

interface Waiting {
  readonly request: AppendRequest;
  readonly resolve: (outcome: Decided) => void;
  readonly reject: (error: Error) => void;
}

/** One transaction takes no more than this, so that other processes get their turn. */
const LARGEST_BATCH = 512;

/**
 * Group commit: while one batch is on its way through the worker, the requests that come in gather into the next.
 * So a lone request goes at once, and many share one flush to the disk. The worker starts with the first request.
 */
export class AppendQueue {
  #waiting: Waiting[] = [];
  #sent: Waiting[] = [];
  #sending = false;
  #ended: StoreUnavailable | undefined;
  #worker: Worker | undefined;
  #exited: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  /** @param onCommit called after each batch, once all its appends are durable. */
  constructor(
    private readonly start: () => Worker,
    private readonly file: string,
    private readonly onCommit: () => void,
  ) {}

  /** @throws StoreUnavailable */
  append(request: AppendRequest): Promise<Decided> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      this.#waiting.push({ request, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      // Not at once: appends that start in the same turn go together.
      queueMicrotask(() => this.#send());
    });
  }

  /** Resolves when nothing is under way any more. */
  async drained(): Promise<void> {
    if (this.#sending) await new Promise<void>((resolve) => (this.#onDrained = resolve));
  }

  /** Ends the worker, which closes its file. Only once drained. */
  async close(): Promise<void> {
    this.#worker?.postMessage('close' satisfies ToAppendWorker);
    await this.#exited;
  }

  #begin(): Worker {
    const worker = this.start();
    worker.on('message', (outcomes: FromAppendWorker) => this.#settle(outcomes));
    worker.once('error', (error) => this.#fail(error));
    this.#exited = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.#fail({ message: `its writer ended with exit code ${code}` });
        resolve();
      });
    });
    return worker;
  }

  #send(): void {
    this.#sent = this.#waiting.splice(0, LARGEST_BATCH);
    const requests = this.#sent.map(({ request }) => request);
    this.#worker ??= this.#begin();
    this.#worker.postMessage(packAppends(requests) satisfies ToAppendWorker);
  }

  #settle(outcomes: readonly AppendOutcome[]): void {
    const settled = this.#sent;
    this.#sent = [];
    if (this.#waiting.length > 0) this.#send();
    for (const [index, waiting] of settled.entries()) this.#answer(waiting, outcomes[index]);
    this.onCommit();
    if (this.#sent.length === 0) this.#idle();
  }

  #answer({ resolve, reject }: Waiting, outcome: AppendOutcome | undefined): void {
    if (outcome && outcome.kind !== 'failed') resolve(outcome);
    else reject(unavailable(`cannot append to the event log ${this.file}`, outcome));
  }

  #idle(): void {
    this.#sending = false;
    this.#onDrained?.();
  }

  /** The worker is gone: each call that waits for it fails, and so does each later one. */
  #fail(cause: { message: string }): void {
    this.#ended ??= unavailable(`cannot append to the event log ${this.file}`, cause);
    for (const { reject } of [...this.#sent, ...this.#waiting]) reject(this.#ended);
    this.#sent = [];
    this.#waiting = [];
    this.#idle();
  }
}
