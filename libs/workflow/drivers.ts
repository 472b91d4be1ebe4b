import type { RunDriver } from './run-driver.js';
import { settledWithin, type Time } from './time.js';

/** Runs that a process drives at the same time. Further runs wait for their turn. */
const MOST_DRIVEN = 1_000;

/** The drivers of a process, and the runs that wait for a place among them. */
export class Drivers {
  readonly #drivers = new Map<string, RunDriver>();
  /** The drives, by driver. A driver that is done and its successor may both have one. */
  readonly #drives = new Map<RunDriver, Promise<unknown>>();
  readonly #queue = new Set<string>();

  /** @param next called with a run that waited, once there is a place */
  constructor(private readonly next: (stream: string) => void) {}

  get streams(): readonly string[] {
    return [...this.#drivers.keys()];
  }

  get isFull(): boolean {
    return this.#drivers.size >= MOST_DRIVEN;
  }

  get(stream: string): RunDriver | undefined {
    return this.#drivers.get(stream);
  }

  /** Settles once the run is no longer driven; `undefined` if it is not driven. */
  driveOf(stream: string): Promise<unknown> | undefined {
    const driver = this.#drivers.get(stream);
    return driver && this.#drives.get(driver);
  }

  /** @returns `undefined` if there is no place */
  async drive(driver: RunDriver, untilRest: () => Promise<number | undefined>): Promise<number | undefined> {
    const { stream } = driver;
    if (this.isFull) {
      this.#queue.add(stream);
      return undefined;
    }
    this.#drivers.set(stream, driver);
    const drive = untilRest();
    this.#drives.set(driver, drive);
    try {
      return await drive;
    } finally {
      this.#drives.delete(driver);
      if (this.#drivers.get(stream) === driver) this.#drivers.delete(stream);
      this.#driveNext();
    }
  }

  wake(): void {
    for (const driver of this.#drivers.values()) driver.wake();
  }

  halt(): void {
    for (const driver of this.#drivers.values()) driver.halt();
  }

  settledWithin(ms: number, time: Time): Promise<void> {
    return settledWithin(new Set(this.#drives.values()), ms, time);
  }

  #driveNext(): void {
    const [next] = this.#queue;
    if (next === undefined) return;
    this.#queue.delete(next);
    this.next(next);
  }
}
