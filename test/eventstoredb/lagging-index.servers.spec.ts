import { afterEach, describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, handleCommand, RevisionConflict, StreamNames } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { type Command, type CommandEnvelope, type Decider, type Event, Fingerprints } from '#lib/kernel';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { anEvent, someEvents } from './sample-events.js';

type Counted = Event<'Counted', { n: number }>;
type Count = Command<'Count', { upTo: number }>;

/** Counts one further, up to a limit. */
const counter: Decider<number, Count, Counted> = {
  initialState: 0,
  decide: ({ data: { upTo } }, n) => (n < upTo ? [{ type: 'Counted', data: { n: n + 1 } }] : []),
  evolve: (_, { data: { n } }) => n,
  record: (command) => command,
  rebuild: (recorded) => recorded as Count,
};

describe.each([0, 5, 30, 100, 1000])('X-E3: an index that lags %i ms behind', (indexLagMs) => {
  const opened: EventStoreDbEventStore[] = [];
  let standIn: EventStoreDbStandIn;
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    standIn.kill();
  });

  async function twoStores(): Promise<readonly [EventStoreDbEventStore, EventStoreDbEventStore]> {
    standIn = await EventStoreDbStandIn.start({ indexLagMs });
    const connectionString = standIn.connectionString();
    const open = () => EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
    const stores = await Promise.all([open(), open()]);
    opened.push(...stores);
    return stores;
  }

  it('gives two that open a new log at once the same log', async () => {
    const [one, other] = await twoStores();
    expect(other.logId).toBe(one.logId);
  });

  it('shows a writer that met a conflict the event it lost against', async () => {
    const [one, other] = await twoStores();
    const rounds = indexLagMs > 100 ? 2 : 20;
    for (let revision = -1; revision < rounds; revision += 1) {
      const expected = revision < 0 ? 'no-stream' : revision;
      const race = await Promise.all(
        [one, other].map(async (store) => {
          const events = someEvents(1);
          const outcome: unknown = await store
            .append('redial_s', expected, events)
            .catch((error: unknown) => error);
          const [last] = await store.readStream('redial_s', { direction: 'backwards', limit: 1 });
          const whole = await store.readStream('redial_s');
          return { outcome, last: last?.revision, length: whole.length };
        }),
      );
      expect(race.filter(({ outcome }) => outcome instanceof RevisionConflict)).toHaveLength(1);
      for (const { last, length } of race) expect([last, length]).toEqual([revision + 1, revision + 2]);
    }
  });

  it('lets one of two equal commands in a race have its effect, and answers both alike', async () => {
    const logs = (await twoStores()).map(
      (store) => new EventLog(store, new EventCodec([{ Counted: { version: 1 } }]), new StreamNames()),
    );
    const rounds = indexLagMs > 100 ? 2 : 15;
    for (let n = 1; n <= rounds; n += 1) {
      const answers = await Promise.all(
        logs.map((log, index) =>
          handleCommand(log, counter, 'redial_counter', countTo(n), envelope(n, index)),
        ),
      );
      expect(answers).toMatchObject([{ state: n }, { state: n }]);
    }
    expect(await logs[0]?.readStream('redial_counter')).toHaveLength(rounds);
  });

  it('settles appends by id of two writers', async () => {
    const stores = await twoStores();
    const count = indexLagMs > 100 ? 2 : 10;
    await Promise.all(
      Array.from({ length: count }, () =>
        stores.map((store) => store.append('redial_s', 'any', [anEvent()])),
      ).flat(),
    );
    expect(await stores[0].readStream('redial_s')).toHaveLength(count * 2);
  });
});

const prints = new Fingerprints('the key of the log');
const countTo = (upTo: number): Count => ({ type: 'Count', data: { upTo } });

/** Two processes that get the same keyed request have the same command id, each its own time. */
function envelope(n: number, process: number): CommandEnvelope {
  const commandId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const occurredAt = `2026-01-02T03:04:05.00${process}Z`;
  const about = { correlationId: 'c', causationId: commandId, actor: 'operator' };
  return { commandId, fingerprint: prints.of(n), occurredAt, ...about };
}
