import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EventStore, RevisionConflict, StoreUnavailable } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { anEvent, follow } from './sample-events.js';

const MAIN = resolve(import.meta.dirname, '../../dist/test/support/eventstoredb-stand-in/main.js');
const WRITERS = 6;
const APPENDS = 150;
const KILLS = 6;

describe('an EventStoreDB whose process is killed', () => {
  let folder: string;
  let port: number;
  let server: ChildProcess;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redial-eventstoredb-'));
    port = await freePort();
    server = await start();
  });
  afterEach(async () => {
    await kill();
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [MAIN, '--port', String(port), '--data', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  }

  async function kill(): Promise<void> {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  const open = (attemptMs: number) =>
    EventStoreDbEventStore.open({
      connectionString: `esdb://127.0.0.1:${port}?tls=false`,
      streamPrefix: 'redial_',
      attemptMs,
      patienceMs: attemptMs * 2,
    });

  it('keeps each acknowledged event once, in order, for writers and followers that live on', async () => {
    const store = await open(5_000);
    const progress = new EventEmitter();
    let acknowledged = 0;
    const onAppended = () => progress.emit('appended', (acknowledged += 1));
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, n) => write(store, `redial_${n}`, onAppended)),
    );
    const following = follow(store, WRITERS * APPENDS * 2);
    for (let kills = 1; kills <= KILLS; kills += 1) {
      await countReached(progress, (kills * WRITERS * APPENDS) / (KILLS + 1));
      await kill();
      server = await start();
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
    const store = await open(300);
    await untilStored(() => store.append('redial_s', 'no-stream', [anEvent()]));
    for (let revision = 0; revision < 5; revision += 1) {
      const event = anEvent();
      server.kill('SIGSTOP');
      const frozen = store.append('redial_s', revision, [event]);
      await expect(frozen).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(frozen).rejects.toThrow(/outcome .* is unknown/);
      server.kill('SIGCONT');
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

/** Repeats an append whose outcome is unknown: on a busy machine, a server that runs again may also take too long. */
async function untilStored<T>(append: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (error instanceof RevisionConflict || !(error instanceof StoreUnavailable)) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
