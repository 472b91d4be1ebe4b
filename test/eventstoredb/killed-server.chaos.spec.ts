import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter, on } from 'node:events';
import { temporaryFolder } from '#lib/kernel/testing';
import { type EventStore, StoreUnavailable, withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { Relay } from '../support/relay.js';
import { anEvent, follow, untilStored } from './sample-events.js';
import { StandInProcess } from './stand-in-process.js';

const WRITERS = 6;
const APPENDS = 150;
const KILLS = 6;

describe('an EventStoreDB whose process is killed', () => {
  let folder: string;
  let relay: Relay;
  let server: StandInProcess;

  beforeEach(async () => {
    folder = temporaryFolder();
    relay = await Relay.start();
    await start();
  });
  afterEach(async () => {
    await server.kill();
    relay.stop();
  });

  async function start(): Promise<void> {
    server = await StandInProcess.start(folder);
    relay.target = server.port;
  }

  /** @param settings for a server that does not answer */
  const open = (settings: object = {}) =>
    EventStoreDbEventStore.open({
      connectionString: `esdb://127.0.0.1:${relay.port}?tls=false`,
      streamPrefix: 'redial_',
      ...settings,
    });

  it('keeps each acknowledged event once, in order, for writers and followers that live on', async () => {
    const store = await open();
    const progress = new EventEmitter();
    let acknowledged = 0;
    const onAppended = () => progress.emit('appended', (acknowledged += 1));
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, n) => write(store, `redial_${n}`, onAppended)),
    );
    const following = follow(store, WRITERS * APPENDS * 2);
    for (let kills = 1; kills <= KILLS; kills += 1) {
      await countReached(progress, (kills * WRITERS * APPENDS) / (KILLS + 1));
      await server.kill();
      await start();
    }
    const written = await writing;
    const log = await store.readAll({ limit: 100_000 });
    for (const [n, ids] of written.entries()) {
      const stored = log.filter(({ stream }) => stream === `redial_${n}`);
      expect(stored.map(({ eventId }) => eventId)).toEqual(ids);
    }
    expect(await following).toEqual(log);
    await store.close();
  });

  it('settles what a frozen server left open', async () => {
    const store = await open({ attemptMs: 300 });
    await untilStored(() => store.append('redial_s', 'no-stream', [anEvent()]));
    for (let revision = 0; revision < 5; revision += 1) {
      const event = anEvent();
      server.signal('SIGSTOP');
      const frozen = withPatience(600, () => store.append('redial_s', revision, [event]));
      await expect(frozen).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(frozen).rejects.toThrow(/outcome .* is unknown/);
      server.signal('SIGCONT');
      const stored = await untilStored(() => store.append('redial_s', revision, [event]));
      expect(stored).toMatchObject({ revision: revision + 1 });
    }
    expect(await store.readStream('redial_s')).toHaveLength(6);
    await store.close();
  });
});

/** Appends pairs, each until it is acknowledged; the ids in order. */
async function write(store: EventStore, stream: string, onAppended: () => void): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < APPENDS; n += 1) {
    const events = [anEvent(), anEvent()];
    await untilStored(() => store.append(stream, n === 0 ? 'no-stream' : n * 2 - 1, events));
    ids.push(...events.map(({ eventId }) => eventId));
    onAppended();
  }
  return ids;
}

async function countReached(progress: EventEmitter, enough: number): Promise<void> {
  for await (const [count] of on(progress, 'appended')) if (Number(count) >= enough) return;
}
