import type { Worker } from 'node:worker_threads';
import { type StoreUnavailable, threadTurns } from '#lib/event-store';
import type { AppendOutcome, AppendRequest, FromAppendWorker, ToAppendWorker } from './append-messages.js';
import { packAppends } from './packed-appends.mjs';
import { unavailable } from './unavailable.js';

type Decided = Exclude<AppendOutcome, { kind: 'failed' }>;

interface Waiting {
  readonly request: AppendRequest;
  readonly resolve: (outcome: Decided) => void;
  readonly reject: (error: Error) => void;
}

/** The most requests of one transaction, so that other processes get their turn. */
const LARGEST_BATCH = 512;

/**
 * Group commit: while one batch is in the worker, new requests gather for the next. So a lone request goes at once, and many share one flush to the
 * disk. The worker starts with the first request. A worker that ends before its first answer is replaced at the next request; the end of a worker
 * that has answered is final.
 */
export class AppendQueue {
  #waiting: Waiting[] = [];
  #sent: Waiting[] = [];
  /** The number of appends that wait for their answer. */
  #unanswered = 0;
  #sending = false;
  #worker: Worker | undefined;
  #hasAnswered = false;
  #ended: StoreUnavailable | undefined;
  #exited: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  /**
   * @param start may throw: then the waiting appends fail, and the next append starts a worker again
   * @param onCommit called after each batch, once all its appends are durable
   */
  constructor(
    private readonly start: () => Worker,
    private readonly file: string,
    private readonly onCommit: () => void,
    private readonly turns = threadTurns,
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
      // Not at once, so that appends of the same turn go together.
      queueMicrotask(() => this.#send());
    });
  }

  /** Resolves when no append is under way any more. */
  async drained(): Promise<void> {
    if (!this.#isDrained) await new Promise<void>((resolve) => (this.#onDrained = resolve));
  }

  /** Ends the worker, which closes its file. Call it only once drained. */
  async close(): Promise<void> {
    this.#worker?.postMessage('close' satisfies ToAppendWorker);
    await this.#exited;
  }

  #begin(): Worker {
    const worker = this.start();
    worker.on('message', (outcomes: FromAppendWorker) => {
      if (worker === this.#worker) this.#settle(outcomes);
    });
    worker.once('error', (error) => this.#lost(worker, error));
    this.#exited = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.#lost(worker, { message: `its writer ended with exit code ${code}` });
        resolve();
      });
    });
    return worker;
  }

  #send(): void {
    this.#sent = this.#waiting.splice(0, LARGEST_BATCH);
    const requests = this.#sent.map(({ request }) => request);
    try {
      this.#worker ??= this.#begin();
      this.#worker.postMessage(packAppends(requests) satisfies ToAppendWorker);
    } catch (error) {
      this.#refuse(this.#unavailable(error));
    }
  }

  #settle(outcomes: readonly AppendOutcome[]): void {
    this.#hasAnswered = true;
    const settled = this.#sent;
    this.#sent = [];
    this.#unanswered += settled.length;
    if (this.#waiting.length > 0) this.#send();
    this.turns.take(settled.map((waiting, index) => () => this.#answer(waiting, outcomes[index])));
    this.onCommit();
    if (this.#sent.length === 0) this.#idle();
  }

  #answer({ resolve, reject }: Waiting, outcome: AppendOutcome | undefined): void {
    if (outcome && outcome.kind !== 'failed') resolve(outcome);
    else reject(this.#unavailable(outcome ?? { message: 'its writer gave no answer' }));
    this.#unanswered -= 1;
    if (this.#isDrained) this.#onDrained?.();
  }

  #idle(): void {
    this.#sending = false;
    if (this.#isDrained) this.#onDrained?.();
  }

  get #isDrained(): boolean {
    return !this.#sending && this.#unanswered === 0;
  }

  /** Fails the appends of a worker that ended. Appends that it made and did not answer are safe to send again: their ids are in the log. */
  #lost(worker: Worker, cause: { message: string }): void {
    // A worker's exit, or an answer, may come after its error, when another worker has started.
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    const error = this.#unavailable(cause);
    if (this.#hasAnswered) this.#ended = error;
    this.#refuse(error);
  }

  /** Fails each waiting append. */
  #refuse(error: StoreUnavailable): void {
    const refused = [...this.#sent, ...this.#waiting];
    this.#sent = [];
    this.#waiting = [];
    for (const { reject } of refused) reject(error);
    this.#idle();
  }

  #unavailable(cause: unknown): StoreUnavailable {
    return unavailable(`cannot append to the event log ${this.file}`, cause);
  }
}
