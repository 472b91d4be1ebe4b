import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  InMemoryEventStore,
  type Position,
  type ReadAllOptions,
  type StoredEvent,
  StoreUnavailable,
} from '#lib/event-store';
import { openLog } from '../testing/sample-log.js';
import { type LogEvent, LogReader } from './log-reader.js';

/** Counts the calls, and fails a subscription on request. */
class WatchedStore extends InMemoryEventStore {
  subscriptions = 0;
  open = 0;
  fails = false;
  /** The number of visible events, as of a server that lags behind. */
  shown = Infinity;

  override async readAll(options: ReadAllOptions) {
    return (await super.readAll(options)).filter(({ position }) => placeIn(position) <= this.shown);
  }

  override async *subscribe(after: Position | undefined, signal: AbortSignal) {
    this.subscriptions += 1;
    this.open += 1;
    try {
      for await (const batch of super.subscribe(after, signal)) {
        if (this.fails) throw new StoreUnavailable('the log', 'it is away', 'Wait');
        yield batch;
      }
    } finally {
      this.open -= 1;
    }
  }
}

const placeIn = (position: string) => Number(position.split('.')[1]);

/** A reader that follows the log, event by event. */
class Follower {
  readonly #leaving = new AbortController();
  readonly #pages: AsyncGenerator<readonly LogEvent[]>;
  #rest: LogEvent[] = [];

  constructor(reader: LogReader, position: string) {
    this.#pages = reader.follow(position, this.#leaving.signal);
  }

  async next(): Promise<LogEvent | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#pages.next();
      if (done) return undefined;
      this.#rest = [...value];
    }
    return this.#rest.shift();
  }

  async texts(count: number): Promise<string[]> {
    const texts: string[] = [];
    while (texts.length < count) texts.push((await this.next())?.stored.data ?? 'ended');
    return texts;
  }

  leave(): void {
    this.#leaving.abort();
  }
}

describe('the log as projections follow it', () => {
  let store: WatchedStore;
  let reader: LogReader;
  let positions: string[];

  const append = async (...texts: readonly string[]) => {
    for (const text of texts) {
      const eventId = `event-${positions.length}`;
      const event = { eventId, type: 'Said', data: JSON.stringify({ text }), metadata: '{}' };
      positions.push((await store.append('s', 'any', [event])).position);
    }
  };
  const said = (...texts: readonly string[]) => texts.map((text) => JSON.stringify({ text }));
  const follow = (position = '') => new Follower(reader, position);

  beforeEach(() => {
    store = new WatchedStore();
    reader = new LogReader(openLog(store));
    positions = [];
  });

  it('comes once, over one subscription, for all who are side by side', async () => {
    const [one, two] = [follow(), follow()];
    const both = Promise.all([one.next(), two.next()]);
    await append('a');
    const [first, second] = await both;
    expect(first?.stored.data).toBe(said('a')[0]);
    expect(second).toBe(first);
    await append('b', 'c');
    expect(await Promise.all([one.texts(2), two.texts(2)])).toEqual([said('b', 'c'), said('b', 'c')]);
    expect(store.subscriptions).toBe(1);
  });

  it('reaches each reader whole and in order: one behind the others, one ahead of them, one that joins late', async () => {
    await append('a', 'b', 'c');
    const [behind, middle, end] = [follow(), follow(positions[1]), follow(positions[2])];
    const waiting = end.texts(2);
    expect(await behind.texts(1)).toEqual(said('a'));
    expect(await middle.texts(1)).toEqual(said('c'));
    await append('d', 'e');
    expect(await waiting).toEqual(said('d', 'e'));
    expect(await behind.texts(4)).toEqual(said('b', 'c', 'd', 'e'));
    expect(await middle.texts(2)).toEqual(said('d', 'e'));
    const late = follow(positions[3]);
    expect(await late.texts(1)).toEqual(said('e'));
    const next = Promise.all([behind, middle, end, late].map((one) => one.texts(1)));
    await append('f');
    expect(await next).toEqual(Array.from({ length: 4 }, () => said('f')));
    expect(store.subscriptions).toBe(1);
  });

  it('ends for a reader that leaves and continues for the others; the last one ends the subscription', async () => {
    const [one, two] = [follow(), follow()];
    const left = one.next();
    const stayed = two.next();
    one.leave();
    expect(await left).toBeUndefined();
    await append('a');
    expect((await stayed)?.stored.data).toBe(said('a')[0]);
    expect(store.open).toBe(1);
    const last = two.next();
    two.leave();
    expect(await last).toBeUndefined();
    while (store.open > 0) await new Promise(setImmediate);
  });

  it('fails for all readers when the store fails, and works again for a new reader', async () => {
    await append('a');
    const [one, two] = [follow(), follow()];
    store.fails = true;
    const failing = await Promise.allSettled([one.next(), two.next()]);
    expect(failing).toEqual([
      { status: 'rejected', reason: expect.any(StoreUnavailable) },
      { status: 'rejected', reason: expect.any(StoreUnavailable) },
    ]);
    store.fails = false;
    expect(await follow().texts(1)).toEqual(said('a'));
  });

  it('says so when the log is closed', async () => {
    const waiting = follow().next();
    await store.close();
    await expect(waiting).rejects.toThrow('it is closed');
  });

  it('waits for an announced event that its server does not have yet, without blocking the process', async () => {
    await append('a', 'b');
    const ahead = follow(positions[1]);
    const waiting = ahead.texts(1);
    store.shown = 1;
    const behind = follow(positions[0]);
    const lagging = behind.texts(2);
    await new Promise(setImmediate);
    store.shown = Infinity;
    await append('c');
    expect(await waiting).toEqual(said('c'));
    expect(await lagging).toEqual(said('b', 'c'));
  });

  it('is read again when a page ended with the log', async () => {
    const read = async (position: string) =>
      (await reader.pageAfter(position)).map(({ stored }: { stored: StoredEvent }) => stored.data);
    expect(await read('')).toEqual([]);
    await append('a');
    expect(await read('')).toEqual(said('a'));
    expect(await read(positions[0] ?? '')).toEqual([]);
    await append('b');
    expect(await read(positions[0] ?? '')).toEqual(said('b'));
  });
});
