import { appendOneByOne, type EventStore, StoreUnavailable } from '#lib/event-store';
import type { Time } from '#lib/workflow';

/** Before an append reaches the log, or before the process learns that it did. */
export type Kill = 'before' | 'after';

/**
 * The life of one process. After its end none of its calls to the log comes back and none of its timers fires: as after kill -9, what it has
 * not appended is lost.
 */
export class Life {
  isOver = false;
  #appends = 0;
  #killAt = Infinity;
  #isBuried = false;
  #fail: (error: Error) => void = () => undefined;
  readonly #never = new Promise<never>((_, reject) => {
    this.#fail = reject;
  });

  constructor(private readonly when: Kill = 'before') {
    this.#never.catch(() => undefined);
  }

  /** The test is over: what is left of the process can be closed, and writes nothing. */
  bury(): void {
    this.isOver = true;
    this.#isBuried = true;
    this.#fail(new StoreUnavailable('the log', 'the process was killed', 'Start another one'));
  }

  /** It ends at its n-th append from now on. */
  endAt(n: number): void {
    this.#appends = 0;
    this.#killAt = n;
  }

  time(shared: Time): Time {
    return {
      now: () => shared.now(),
      monotonicMs: () => shared.monotonicMs(),
      after: (milliseconds, callback) =>
        shared.after(milliseconds, () => (this.isOver && !this.#isBuried) || callback()),
    };
  }

  /** Like a store on a network: the process may end between the appends of one list. */
  store(shared: EventStore): EventStore {
    const alive = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.isOver) return this.#never;
      const answer = await work();
      return this.isOver ? this.#never : answer;
    };
    const append: EventStore['append'] = (...args) =>
      alive(async () => {
        this.#appends += 1;
        if (this.#appends < this.#killAt) return shared.append(...args);
        if (this.when === 'after') await shared.append(...args);
        this.isOver = true;
        return this.#never;
      });
    return {
      logId: shared.logId,
      append,
      appendInOrder: (appends) =>
        appendOneByOne(appends, ({ stream, expected, events }) => append(stream, expected, events)),
      readStream: (...args) => alive(() => shared.readStream(...args)),
      readAll: (...args) => alive(() => shared.readAll(...args)),
      head: () => alive(() => shared.head()),
      subscribe: (...args) => this.#delivered(shared.subscribe(...args)),
      close: async () => undefined,
    };
  }

  async *#delivered<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const batch of batches) {
      if (this.isOver) await this.#never;
      yield batch;
    }
  }
}
