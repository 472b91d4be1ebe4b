import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { RedialError } from '#lib/kernel';

/** Readers hold as much as they may. The read wrote nothing, and may be repeated. */
export class TooManyReaders extends RedialError {
  override readonly answer = { status: 503, code: 'too-many-readers' };
}

/** How long a reader waits for its turn. */
const PATIENCE_MS = 20_000;
/** While others wait, what a reader has not taken after this time is taken from it. */
const STALLED_MS = 10_000;

/** About what a socket holds of each connection anyway. */
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
 * One budget of bytes for all readers of bodies: what is read, and what was read and waits for who takes it. A reader waits its
 * turn, first come, first served. A body larger than the budget is read alone.
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

  /** Bytes that all readers hold in sum. */
  get held(): number {
    return this.#held;
  }

  /** @param signal of a reader that waits without an end: until this aborts */
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

  /** For `Reading` alone: what it holds has changed by so many bytes. */
  changed(by: number): void {
    this.#held += by;
    if (by < 0 && this.#waiting.length > 0) this.#serve();
  }

  /** For `Reading` alone. */
  sends(reading: Reading, stop: () => void): void {
    if (this.#sending.has(reading)) return;
    this.#sending.set(reading, { since: performance.now(), stop });
    // The waiting readers have found no reader to stop so far.
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

  /** Those that are sent are in the order in which that began. */
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
  /** Settles when the last `needs` has. */
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
   * Waits until this reader may hold so many bytes; a few are not counted. The rest of the process has its turn before so much
   * is read. What it held is given back first, so that two that want more do not wait for each other. Calls for one reader are
   * served one after another, for the same reason: it never waits for bytes that it holds itself.
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

  /** Changes the bytes that the reader holds. A reader that held none waits for them, as for a page. @throws TooManyReaders */
  async becomes(bytes: number): Promise<void> {
    if (this.#held === 0) return this.needs(bytes);
    this.holds(bytes);
    await setImmediate();
  }

  /** From now on it waits for who takes it. @param stop called at most once, if that lasts too long while others wait */
  sends(stop: () => void): void {
    if (!this.#isClosed && this.#held > 0) this.readers.sends(this, stop);
  }

  close(): void {
    this.holds(0);
    this.#isClosed = true;
  }

  /** Reads within `action` count for this reader. */
  run<T>(action: () => T): T {
    return scope.run(this, action);
  }
}

const scope = new AsyncLocalStorage<Reading>();

/** The reader on whose behalf this is read, if there is one. */
export function currentReading(): Reading | undefined {
  const reading = scope.getStore();
  return reading?.isClosed === true ? undefined : reading;
}

const MIB = 1024 * 1024;
/** Of a heap of 512 MB two times 32 MiB. */
const MOST = Math.min(128 * MIB, Math.max(8 * MIB, getHeapStatistics().heap_size_limit / 16));

/** The readers of answers in this process. */
export const answerReaders = new Readers(MOST);
/** The readers of event streams in this process: a stream whose client does not read takes no bytes from answers. */
export const streamReaders = new Readers(MOST);

/**
 * Reads as the reader that stands above this call, which then holds what it has read until its answer was sent, or as one that
 * ends with this call.
 */
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
