import { appendOneByOne, type EventStore, StoreUnavailable } from '#lib/event-store';
import type { Leases } from '../leases/leases.js';
import type { Time } from '../time.js';

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The shares of all calls to stores that fail, by fault. */
export interface Faults {
  readonly crash: number;
  readonly lostAnswer: number;
  readonly unavailable: number;
  /** A delay longer than a lease. */
  readonly stall: number;
  readonly leasesAway: number;
}

export const NO_FAULTS: Faults = { crash: 0, lostAnswer: 0, unavailable: 0, stall: 0, leasesAway: 0 };

const NEVER = new Promise<never>(() => undefined);

/** A layer between a process and its stores. It delays and fails calls, and after a crash drops every one. */
export class FaultyProcess {
  isCrashed = false;

  constructor(
    private readonly real: Time,
    private readonly random: Random,
    public faults: Faults,
    private readonly stallMs: number,
  ) {}

  time(): Time {
    return {
      now: () => this.real.now(),
      monotonicMs: () => this.real.monotonicMs(),
      after: (milliseconds, callback) => this.real.after(milliseconds, () => this.isCrashed || callback()),
    };
  }

  store(store: EventStore): EventStore {
    const call = this.#call.bind(this);
    return {
      logId: store.logId,
      append: (...args) => call(() => store.append(...args), true),
      // As with a store on a network, the process may end, or the answer be lost, after each append.
      appendInOrder: (appends) =>
        appendOneByOne(appends, (one) =>
          call(() => store.append(one.stream, one.expected, one.events), true),
        ),
      readStream: (...args) => call(() => store.readStream(...args)),
      readAll: (...args) => call(() => store.readAll(...args)),
      head: () => store.head(),
      subscribe: (...args) => this.#delivered(store.subscribe(...args)),
      close: () => store.close(),
    };
  }

  leases(leases: Leases): Leases {
    const away = () => this.random() < this.faults.leasesAway;
    const call = <T>(work: () => Promise<T>) => (away() ? this.#away<T>() : this.#call(work, true));
    return {
      acquire: (...args) => call(() => leases.acquire(...args)),
      renew: (...args) => call(() => leases.renew(...args)),
      release: (...args) => call(() => leases.release(...args)),
      leave: (...args) => call(() => leases.leave(...args)),
      expired: (...args) => call(() => leases.expired(...args)),
      heldAmong: (...args) => call(() => leases.heldAmong(...args)),
    };
  }

  /** Work of the process that takes time, such as an open call. */
  async pass(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => void this.real.after(milliseconds, resolve));
    if (this.isCrashed) await NEVER;
  }

  async #call<T>(work: () => Promise<T>, isWrite = false): Promise<T> {
    await this.#before();
    if (this.random() < this.faults.unavailable) throw unavailable('nothing was done');
    const answer = await work();
    await this.#before();
    if (isWrite && this.random() < this.faults.lostAnswer) throw unavailable('the answer was lost');
    return answer;
  }

  /** Delays, stalls or crashes the process. */
  async #before(): Promise<void> {
    if (this.isCrashed || this.random() < this.faults.crash) {
      this.isCrashed = true;
      await NEVER;
    }
    const isStalled = this.random() < this.faults.stall;
    await this.pass(isStalled ? this.stallMs : Math.floor(this.random() * 20));
  }

  async #away<T>(): Promise<T> {
    await this.pass(1);
    throw unavailable('the store of leases is away');
  }

  async *#delivered<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const batch of batches) {
      await this.pass(Math.floor(this.random() * 30));
      yield batch;
    }
  }
}

function unavailable(why: string): StoreUnavailable {
  return new StoreUnavailable('the store', why, 'Try again');
}
