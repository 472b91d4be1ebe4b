import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChangeSignal } from '#lib/event-store';
import { opened } from '../testing/counted-doors.js';
import { appendAll, openLog } from '../testing/sample-log.js';
import { type LogEvent, LogReader } from './log-reader.js';
import { ProjectionLoop } from './projection-loop.js';

const never = new AbortController().signal;

/** Follows a log in memory, and keeps the number of events of each page. */
class Following {
  readonly pages: number[] = [];
  readonly loop: ProjectionLoop;
  readonly running: Promise<void>;
  readonly #log = openLog();
  readonly #taken = new ChangeSignal();
  #appended = 0;

  constructor() {
    const taker = {
      name: 'rows',
      lease: 'rows',
      reached: '',
      load: () => Promise.resolve(),
      forget: () => undefined,
      take: (page: readonly LogEvent[]) => {
        taker.reached = page.at(-1)?.stored.position ?? taker.reached;
        this.pages.push(page.length);
        this.#taken.announce();
        return Promise.resolve(true);
      },
    };
    const reader = new LogReader(this.#log);
    this.loop = new ProjectionLoop(taker, { reader, holder: undefined, onStopped: () => undefined });
    this.running = this.loop.run();
  }

  async append(events: number): Promise<void> {
    const all = Array.from({ length: events }, () => opened(`door ${(this.#appended += 1)}`));
    await appendAll(this.#log, all);
  }

  async until(pages: number): Promise<void> {
    while (this.pages.length < pages) await this.#taken.after(this.#taken.count, never);
  }
}

describe('a loop that follows the log', () => {
  let following: Following;
  let now = performance.now();
  let noTimeout: { mockRestore(): void };
  let clock: { mockRestore(): void };
  beforeEach(async () => {
    // No pause ends by itself.
    noTimeout = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(setTimeout(() => undefined, 0));
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    following = new Following();
    await following.append(1);
    await following.until(1);
  });
  afterEach(async () => {
    following.loop.stop();
    await following.running;
    noTimeout.mockRestore();
    clock.mockRestore();
  });

  it('takes what arrives after a small page together, once a caller waits for rows', async () => {
    await following.append(1);
    await following.append(2);
    expect(following.loop.hurry()).toBe(true);
    await following.until(2);
    expect(following.pages).toEqual([1, 3]);
    expect(following.loop.hurry()).toBe(false);
  });

  it('waits for no more events for a while after a caller came', async () => {
    following.loop.hurry();
    await following.append(1);
    await following.until(2);
    await following.append(1);
    await following.until(3);
    expect(following.pages).toEqual([1, 1, 1]);
  });

  it('waits for no more events after a page of many', async () => {
    await following.append(32);
    following.loop.hurry();
    await following.until(2);
    now += 1_000;
    await following.append(32);
    await following.until(3);
    await following.append(1);
    await following.until(4);
    expect(following.pages).toEqual([1, 32, 32, 1]);
  });

  it('waits again once no caller has come for a while, and says so to the next', async () => {
    following.loop.hurry();
    now += 1_000;
    await following.append(1);
    await following.until(2);
    expect(following.loop.hurry()).toBe(true);
  });
});
