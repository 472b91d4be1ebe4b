import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { RedialError } from '#lib/kernel';

/** Readers hold as many bytes as they may. The read wrote no event, and may be repeated. */
export class TooManyReaders extends RedialError {
  override readonly answer = { status: 503, code: 'too-many-readers' };
}

/** The longest wait of a reader for its turn. */
const PATIENCE_MS = 20_000;
/** While others wait, a reader whose answer is not taken within this time is stopped. */
const STALLED_MS = 10_000;

/** About the bytes that a socket holds for each connection anyway. */
const UNCOUNTED_BYTES = 64 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly grant: () => void;
}

interface Times {
  readonly patienceMs?: number;
  readonly stalledMs?: number;
}

/**
 * One budget of bytes for all readers of bodies. It covers bodies that are being read, and bodies that wait for their client to take them. Readers
 * wait in turn, first come, first served. A body larger than the budget is read alone.
 */
export class Readers {
  readonly #patienceMs: number;
  readonly #stalledMs: number;
  readonly #waiting: Waiting[] = [];
  readonly #sending = new Map<Reading, { readonly since: number; readonly stop: () => void }>();
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param most bytes, as JSON text: decoded and encoded again they take about five times as much */
  constructor(
    readonly most: number,
    { patienceMs = PATIENCE_MS, stalledMs = STALLED_MS }: Times = {},
  ) {
    this.#patienceMs = patienceMs;
    this.#stalledMs = stalledMs;
  }

  /** The bytes that all readers hold together. */
  get held(): number {
    return this.#held;
  }

  /** @param signal ends the wait of a reader that waits without a time limit */
  open(signal?: AbortSignal): Reading {
    return new Reading(this, signal);
  }

  /** For `Reading` alone. Rejects with the reason of the signal. @throws TooManyReaders */
  async take(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length === 0 && this.#held + bytes <= this.most) {
      this.#held += bytes;
      return;
    }
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reason);
        this.#serve();
      };
      const aborted = () => leave(signal?.reason);
      const timer = signal ? undefined : setTimeout(() => leave(tooMany(this.most)), this.#patienceMs);
      signal?.addEventListener('abort', aborted, { once: true });
      const grant = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        resolve();
      };
      const waiting = { bytes, grant };
      this.#waiting.push(waiting);
      this.#serve();
    });
  }

  /** For `Reading` alone: the bytes that it holds have changed by this number. */
  changed(by: number): void {
    this.#held += by;
    if (by < 0 && this.#waiting.length > 0) this.#serve();
  }

  /** For `Reading` alone. */
  sends(reading: Reading, stop: () => void): void {
    if (this.#sending.has(reading)) return;
    this.#sending.set(reading, { since: performance.now(), stop });
    // The waiting readers may have found no reader to stop before.
    if (this.#waiting.length > 0) this.#serve();
  }

  /** For `Reading` alone. */
  sendsNoMore(reading: Reading): void {
    this.#sending.delete(reading);
  }

  #serve(): void {
    clearTimeout(this.#timer);
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#held + next.bytes > this.most) return this.#stopStalled();
      this.#waiting.shift();
      this.#held += next.bytes;
      next.grant();
    }
  }

  /** Stops the reader that has been sending the longest, once it has stalled. `#sending` is in the order in which the readers began to send. */
  #stopStalled(): void {
    const [oldest] = this.#sending;
    if (!oldest) return;
    const [reading, { since, stop }] = oldest;
    const leftMs = since + this.#stalledMs - performance.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#serve(), leftMs).unref();
      return;
    }
    stop();
    reading.close();
  }
}

/** The bytes that one reader holds. */
export class Reading {
  #held = 0;
  /** Settles when the last call of `needs` has. */
  #lastNeed: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly readers: Readers,
    private readonly signal: AbortSignal | undefined,
  ) {}

  get held(): number {
    return this.#held;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Waits until this reader may hold this many bytes; a few are not counted. Then lets the rest of the process run before so much is read. The bytes
   * that the reader held are given back first, so that two readers that need more do not wait for each other. Calls for one reader are served one
   * after the other, so that it never waits for bytes that it holds itself.
   * @throws TooManyReaders
   */
  async needs(bytes: number): Promise<void> {
    if (bytes <= UNCOUNTED_BYTES) return;
    const need = this.#lastNeed.then(() => this.#take(Math.min(bytes, this.readers.most)));
    this.#lastNeed = need.catch(() => undefined);
    return need;
  }

  async #take(wanted: number): Promise<void> {
    if (wanted <= this.#held || this.#isClosed) return;
    this.holds(0);
    await this.readers.take(wanted, this.signal);
    if (this.#isClosed) return this.readers.changed(-wanted);
    const heldMeanwhile = this.#held;
    this.#held = wanted;
    this.readers.changed(-heldMeanwhile);
    await setImmediate();
  }

  /** Corrects the bytes that the reader holds, without a wait. */
  holds(bytes: number): void {
    if (this.#isClosed) return;
    const counted = bytes <= UNCOUNTED_BYTES ? 0 : bytes;
    const change = counted - this.#held;
    this.#held = counted;
    if (counted === 0) this.readers.sendsNoMore(this);
    this.readers.changed(change);
  }

  /** Changes the bytes that the reader holds. A reader that held none waits for them, as in `needs`. @throws TooManyReaders */
  async becomes(bytes: number): Promise<void> {
    if (this.#held === 0) return this.needs(bytes);
    this.holds(bytes);
    await setImmediate();
  }

  /** From now on the reader waits for its client. @param stop called at most once, if that takes too long while others wait */
  sends(stop: () => void): void {
    if (!this.#isClosed && this.#held > 0) this.readers.sends(this, stop);
  }

  close(): void {
    this.holds(0);
    this.#isClosed = true;
  }

  /** Counts the reads within `action` for this reader. */
  run<T>(action: () => T): T {
    return scope.run(this, action);
  }
}

const scope = new AsyncLocalStorage<Reading>();

/** The reader for which this code reads, if there is one. */
export function currentReading(): Reading | undefined {
  const reading = scope.getStore();
  return reading?.isClosed === true ? undefined : reading;
}

const MIB = 1024 * 1024;
/** For a heap of 512 MB: 32 MiB, for each of the two `Readers`. */
const MOST = Math.min(128 * MIB, Math.max(8 * MIB, getHeapStatistics().heap_size_limit / 16));

/** The readers of answers in this process. */
export const answerReaders = new Readers(MOST);
/** The readers of event streams in this process. A client that does not read its stream takes no bytes from answers. */
export const streamReaders = new Readers(MOST);

/** Reads as the reader of the caller, which then holds the bytes until its answer is sent; without one, as a reader that ends with this call. */
export async function asReader<T>(action: (reading: Reading) => Promise<T>): Promise<T> {
  const above = currentReading();
  const reading = above ?? answerReaders.open();
  try {
    return await reading.run(() => action(reading));
  } finally {
    if (!above) reading.close();
  }
}

function tooMany(most: number): TooManyReaders {
  const why = `other readers hold the ${most} bytes that all readers may hold`;
  return new TooManyReaders('this read', why, 'Try again later, or ask for fewer items');
}
