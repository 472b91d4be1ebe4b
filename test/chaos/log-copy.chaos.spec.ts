import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { openEventStore } from '#lib/engine';
import type { EventStore, EventToStore } from '#lib/event-store';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';

const MAIN = join(import.meta.dirname, '../../dist/bin/redial.js');
const SESSIONS = 150;
const KILLS = 5;
const NAMES = ['SQLite', 'EventStoreDB'] as const;

type Engine = (typeof NAMES)[number];

function event(data: object, metadata: object = {}): EventToStore {
  const text = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  return { eventId: randomUUID(), type: 'ThingHappened', ...text };
}

/** Sessions whose events lie between those of others, each tenth with a body of two chunks that another one shares. */
async function fill(store: EventStore): Promise<void> {
  for (let n = 0; n < SESSIONS; n += 1) {
    const sha256 = `hash-${Math.floor(n / 20)}`;
    const blob = `redial_blob-${sha256}`;
    if (n % 20 === 0) await store.append(blob, 'no-stream', [event({ chunk: 1 }), event({ chunk: 2 })]);
    const encoding = { blobs: [{ pointer: '/data/a', sha256, bytes: 2 }] };
    const first = n % 10 === 0 ? event({ a: null }, { encoding }) : event({ n });
    await store.append(`redial_session-${n}`, 'no-stream', [first, event({ n })]);
    await store.append('redial_machine-m', n === 0 ? 'no-stream' : n - 1, [event({ n })]);
    await store.append(`redial_solicitation-${n}`, 'no-stream', [event({ n })]);
    await store.append(`redial_session-${n}`, 1, [event({ n })]);
  }
}

/** The events in log order, without the mark of a copy. */
async function copied(store: EventStore) {
  return (await store.readAll({ limit: 100_000 })).filter(({ type }) => type !== 'LogCopied');
}

/** Everything but positions, in log order, and the bodies after it. */
async function contents(store: EventStore): Promise<readonly object[]> {
  const events = [...(await copied(store))];
  for (let n = 0; n < SESSIONS / 20; n += 1)
    events.push(...(await store.readStream(`redial_blob-hash-${n}`)));
  return events.map(({ position: _, ...rest }) => rest);
}

describe('redial log copy, killed', () => {
  let folder: string;
  let servers: EventStoreDbStandIn[];
  let stores: EventStore[];

  beforeAll(() => {
    if (!existsSync(MAIN)) throw new Error('dist/ is missing. Run `npm run build` first.');
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    servers = [];
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    for (const server of servers) server.kill();
  });

  /** An empty log: what the command line calls it, and the store itself. */
  async function place(engine: Engine, name: string) {
    const logFile = join(folder, `${name}.sqlite`);
    const server = engine === 'SQLite' ? undefined : await EventStoreDbStandIn.start();
    if (server) servers.push(server);
    const eventStoreDbUrl = server?.connectionString();
    const store = await openEventStore({ eventStoreDbUrl, logFile, streamPrefix: 'redial_' });
    stores.push(store);
    return { name: eventStoreDbUrl ?? logFile, store };
  }

  /** Copies in a process of its own; kills it once the target has so many events. @returns its exit code, and what it printed */
  async function copy(
    from: string,
    to: string,
    killed?: { readonly at: number; readonly target: EventStore },
  ) {
    const child = spawn(process.execPath, [MAIN, 'log', 'copy', '--from', from, '--to', to, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], REDIAL_DATA_DIR: folder },
    });
    const closed = once(child, 'close');
    let out = '';
    let err = '';
    child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
    if (killed) {
      await untilCount(killed.target, killed.at);
      child.kill('SIGKILL');
    }
    await closed;
    return { exitCode: child.exitCode, out, err };
  }

  const pairs = NAMES.flatMap((from) => NAMES.map((to) => [from, to] as const)).filter(
    ([from, to]) => from === 'SQLite' || to === 'SQLite',
  );

  it.each(pairs)(
    'from %s to %s continues after an interruption, and ends with the same log',
    async (from, to) => {
      const source = await place(from, 'source');
      let target = await place(to, 'target');
      await fill(source.store);
      const whole = await contents(source.store);
      const events = SESSIONS * 5;
      let kills = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const at = Math.floor((kill * events) / (KILLS + 1));
        const { exitCode } = await copy(source.name, target.name, { at, target: target.store });
        // On a busy machine it may have ended before it could be killed: the first one is killed in another target then.
        if (exitCode === 0 && kills > 0) break;
        if (exitCode === 0) {
          if (stores.length > 12) throw new Error('Each copy ended before it could be killed.');
          target = await place(to, `target-${stores.length}`);
          kill = 0;
          continue;
        }
        kills += 1;
        expect(exitCode).toBeNull();
        const sofar = await copied(target.store);
        // One more is the mark that begins the copy.
        expect(sofar.length).toBeGreaterThanOrEqual(at - 1);
        expect(sofar.map(({ position: _, ...rest }) => rest)).toEqual(whole.slice(0, sofar.length));
      }
      const before = (await copied(target.store)).length;
      const { exitCode, out, err } = await copy(source.name, target.name);
      expect([exitCode, err]).toEqual([0, expect.not.stringContaining('[')]);
      expect(JSON.parse(out)).toEqual(
        expect.objectContaining({ identical: true, copied: events - before, events, blobs: 8 }),
      );
      expect(await contents(target.store)).toEqual(whole);
      // Before its first event, and after its last one.
      expect(await target.store.readStream('redial_log-copies')).toHaveLength(2);
    },
  );
});

async function untilCount(store: EventStore, count: number): Promise<void> {
  const enough = new AbortController();
  let seen = 0;
  for await (const batch of store.subscribe(undefined, enough.signal)) {
    seen += batch.length;
    if (seen >= count) break;
  }
  enough.abort();
}
