import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RevisionConflict } from './errors.js';
import { EventLog } from './event-log.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { RecentStreams } from './recent-streams.js';
import { StreamHistory } from './stream-history.js';
import { StreamNames } from './stream-names.js';
import { codec, kib, said } from './testing/large-events.js';

const counting = {
  initialState: 0,
  evolve: jest.fn((count: number) => count + 1),
};

describe('streams in memory', () => {
  let store: InMemoryEventStore;
  let log: EventLog;
  beforeEach(() => {
    store = new InMemoryEventStore();
    log = new EventLog(store, codec, new StreamNames());
    counting.evolve.mockClear();
  });

  it('are read on from their end, and hold the same events as the store', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 }), said({ n: 1 })]);
    await log.load('s');
    await new EventLog(store, codec, log.streams).append('s', 1, [said({ n: 2 })]);
    const reads = jest.spyOn(store, 'readStream');
    expect((await log.load('s')).events).toEqual(await log.readStream('s'));
    expect(reads.mock.calls[0]).toEqual(['s', { from: 2 }]);
  });

  it('grow by what is appended, and are read only where they are known to be longer', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 })]);
    await log.load('s');
    const { events } = await log.append('s', 0, [said({ n: 1 })]);
    expect(log.known('s')?.events.slice(1)).toEqual(events);
    const reads = jest.spyOn(store, 'readStream');
    await log.loadTo('s', 1);
    expect(reads).not.toHaveBeenCalled();
    await log.loadTo('s', 2);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('grow by what was appended before a conflict', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 })]);
    await log.load('s');
    const appends = [
      { stream: 's', expected: 0, events: [said({ n: 1 })] },
      { stream: 'other', expected: 7, events: [said({})] },
    ];
    await expect(log.appendInOrder(appends)).rejects.toThrow(RevisionConflict);
    expect(log.known('s')?.revision).toBe(1);
  });

  it('are forgotten when the stream turns out to be another one', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 })]);
    await log.load('s');
    jest.spyOn(store, 'append').mockRejectedValueOnce(new RevisionConflict('s', 0, undefined));
    await expect(log.append('s', 0, [said({})])).rejects.toThrow(RevisionConflict);
    expect(log.known('s')).toBeUndefined();
  });

  it('are folded once, however often the state is asked for', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 }), said({ n: 1 })]);
    const history = await log.load('s');
    expect([history.state(counting), history.state(counting)]).toEqual([2, 2]);
    await log.append('s', 1, [said({ n: 2 })]);
    expect(log.known('s')?.state(counting)).toBe(3);
    expect(counting.evolve).toHaveBeenCalledTimes(3);
    expect(history.state(counting)).toBe(2);
  });

  it('are folded once at each length that is held, even after the stream was folded further', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 }), said({ n: 1 })]);
    const shorter = (await log.load('s')).upTo(0);
    expect([log.known('s')?.state(counting), shorter.state(counting), shorter.state(counting)]).toEqual([
      2, 1, 1,
    ]);
    expect(counting.evolve).toHaveBeenCalledTimes(3);
  });

  it('have a state for each initial state of rules that share `evolve`', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 }), said({ n: 1 })]);
    const history = await log.load('s');
    const fromTen = { ...counting, initialState: 10 };
    const both = () => [history.state(counting), history.state(fromTen)];
    expect([both(), both()]).toEqual([
      [2, 12],
      [2, 12],
    ]);
    expect(counting.evolve).toHaveBeenCalledTimes(4);
  });

  it('keep the states of the eight newest foldings', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 })]);
    const asked = async (initialState: number) => (await log.load('s')).state({ ...counting, initialState });
    for (const initialState of [0, 1, 2, 3, 4, 5, 6, 7, 8]) await asked(initialState);
    counting.evolve.mockClear();
    expect([await asked(8), await asked(1)]).toEqual([9, 2]);
    expect(counting.evolve).not.toHaveBeenCalled();
    expect(await asked(0)).toBe(1);
    expect(counting.evolve).toHaveBeenCalledTimes(1);
  });

  it('keep nothing of events that are only supposed, and are folded no further than asked for', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 }), said({ n: 1 })]);
    await log.load('s');
    const supposed = log.supposing({ stream: 's', expected: 1, events: [said({ n: 2 }), said({ n: 3 })] });
    expect(supposed?.state(counting)).toBe(4);
    expect([0, 1, 2].map((revision) => supposed?.upTo(revision).state(counting))).toEqual([1, 2, 3]);
    expect(log.known('s')?.state(counting)).toBe(2);
  });

  it('know the events of each command', async () => {
    const of = (n: number, commandId: string) => ({
      ...said({ n }),
      metadata: { ...said({ n }).metadata, commandId },
    });
    await log.append('s', 'no-stream', [of(0, 'a'), of(1, 'b'), of(2, 'b')]);
    const history = await log.load('s');
    const known = (one: StreamHistory | undefined, id: string) =>
      one?.ofCommand(id).map(({ revision }) => revision);
    expect(['a', 'b', 'c'].map((id) => known(history, id))).toEqual([[0], [1, 2], []]);
    const supposed = log.supposing({ stream: 's', expected: 2, events: [of(3, 'c')] });
    expect([known(supposed, 'c'), known(history.upTo(1), 'b')]).toEqual([[3], [1]]);
    await log.append('s', 2, [of(3, 'd')]);
    expect(['c', 'd'].map((id) => known(log.known('s'), id))).toEqual([[], [3]]);
  });

  it('are bounded by their bytes, blobs included: what was used longest ago goes first', async () => {
    const kept = new RecentStreams(3_000);
    const [event] = (await log.append('s', 'no-stream', [said({})])).events;
    for (const stream of ['a', 'b']) kept.keep(stream, new StreamHistory(event && [event], 900));
    kept.get('a');
    kept.keep('c', new StreamHistory(event && [event], 900));
    expect(['a', 'b', 'c'].filter((stream) => kept.get(stream))).toEqual(['a', 'c']);
    kept.keep('d', new StreamHistory(event && [event], 3_000));
    expect(['a', 'b', 'c', 'd'].filter((stream) => kept.get(stream))).toEqual(['a', 'c']);

    await log.append('large', 'no-stream', [said({ text: kib(900), more: kib(200) })]);
    expect((await log.load('large')).size).toBeGreaterThan(1_100 * 1024);
  });
});
