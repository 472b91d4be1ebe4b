import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  EventCodec,
  EventLog,
  type EventStore,
  InMemoryEventStore,
  type StoredEvent,
  StreamNames,
} from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import type { ReplayedLog } from '#lib/runs/runs/core';
import { type LogRange, rangesOf } from './log-ranges.js';
import { verifyEach } from './verify-all.js';

const names = new StreamNames();

/** @param streams of each event of the log, in its order */
async function filled(streams: readonly number[]): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  for (const [count, stream] of streams.entries()) {
    const event = { eventId: `e${count}`, type: 'Counted', data: '{}', metadata: '{}' };
    await store.append(names.of('session', `s${stream}`), 'any', [event]);
  }
  return store;
}

/** Without the first event of every stream of an uneven number. */
function damaged(store: EventStore): EventStore {
  const isLost = ({ stream, revision }: StoredEvent) => revision === 0 && /[13579]$/.test(stream);
  const moved = (event: StoredEvent) => (isLost(event) ? { ...event, stream: 'lost' } : event);
  return changedStore(store, {
    readAll: async (options) => (await store.readAll(options)).map(moved),
    readStream: async (stream, { limit = Infinity } = {}) => {
      const events = (await store.readStream(stream)).filter((event) => !isLost(event));
      return events.slice(0, limit);
    },
  });
}

async function verified(log: EventLog, ranges: AsyncIterable<LogRange> | readonly LogRange[]) {
  const found: string[] = [];
  const session = async ({ store }: ReplayedLog, id: string) =>
    `${id} of ${(await store.readStream(names.of('session', id))).length}`;
  for await (const range of ranges)
    for await (const report of verifyEach(log, { session }, range)) found.push(report);
  return found;
}

it('the ranges of a log have each stream once, where its first event is, in the order of the whole', async () => {
  const streams = fc.array(fc.nat({ max: 9 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      streams,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.boolean(),
      async (...given) => {
        const [order, most, isDamaged, positionsAreGapFree] = given;
        const whole = await filled(order);
        const read = isDamaged ? damaged(whole) : whole;
        const store = changedStore(read, { positionsAreGapFree });
        const log = new EventLog(store, new EventCodec([]), names);
        expect(await verified(log, rangesOf(log, most))).toEqual(await verified(log, [{}]));
      },
    ),
  );
});

it.each([true, false])(
  'the last range of a log takes what is appended meanwhile (gap-free: %s)',
  async (gapFree) => {
    const whole = await filled([0, 0, 0, 0, 1]);
    const store = changedStore(whole, { positionsAreGapFree: gapFree });
    const log = new EventLog(store, new EventCodec([]), names);
    const ranges: LogRange[] = [];
    for await (const range of rangesOf(log, 2)) ranges.push(range);
    expect(ranges).toHaveLength(3);
    const event = { eventId: 'late', type: 'Counted', data: '{}', metadata: '{}' };
    await whole.append(names.of('session', 'late'), 'any', [event]);
    expect(await verified(log, ranges)).toEqual(['s0 of 4', 's1 of 1', 'late of 1']);
  },
);
