import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { temporaryFolder } from '#lib/kernel/testing';
import type { StoredEvent } from '#lib/event-store';
import { SqliteEventStore } from '../sqlite-event-store.js';
import { anyDamage } from './random-damage.js';

const STREAMS = ['a', 'b', 'c'];
const ROUNDS = 12;

/** The results of reading a log as a whole and stream by stream. */
interface Answers {
  readonly all: readonly StoredEvent[];
  readonly streams: readonly (readonly StoredEvent[])[];
}

function event(stream: string, n: number) {
  const eventId = `00000000-0000-4000-8000-${stream}${String(n).padStart(11, '0')}`;
  // One event in four takes a page of its own.
  return {
    eventId,
    type: 'ThingHappened',
    data: JSON.stringify({ n, text: 'x'.repeat(n % 4 === 0 ? 9_000 : 60) }),
    metadata: '{"a":1}',
  };
}

async function makeLog(file: string): Promise<void> {
  const store = await SqliteEventStore.open(file);
  for (let n = 0; n < ROUNDS; n++)
    for (const stream of STREAMS)
      await store.append(stream, n === 0 ? 'no-stream' : n - 1, [event(stream, n)]);
  await store.close();
}

async function answersOf(store: SqliteEventStore): Promise<Answers> {
  const streams = await Promise.all(STREAMS.map((stream) => store.readStream(stream, { limit: 1_000 })));
  return { all: await store.readAll({ limit: 1_000 }), streams };
}

/** The answers of a log that opens and in which the check finds no damage; `undefined` for every other one. */
async function answersIfSound(file: string): Promise<Answers | undefined> {
  let store: SqliteEventStore;
  try {
    store = await SqliteEventStore.open(file, { mustExist: true });
  } catch {
    return undefined;
  }
  try {
    return (await store.checkIntegrity()).length > 0 ? undefined : await answersOf(store);
  } finally {
    await store.close();
  }
}

/** The positions of the log, and the revisions of each stream in its order. */
function orderOf({ all, streams }: Answers): string {
  const positions = all.map(({ position }) => position);
  const revisions = streams.map((events) => events.map(({ stream, revision }) => `${stream} ${revision}`));
  return JSON.stringify({ positions, revisions });
}

/**
 * Damages copies of a log at random. If a copy opens and the check finds no damage, it must have the positions of the log and the revisions of each
 * stream, and all reads must give the same events. The check knows no hashes, so the texts of an event may differ, and so may the order of two events
 * of different streams. A replay compares the texts; a seal finds both.
 * @throws the error of the property
 */
export async function assertDamageIsFound(numRuns: number): Promise<void> {
  const folder = temporaryFolder();
  const [whole, file] = [join(folder, 'whole.sqlite'), join(folder, 'log.sqlite')];
  await makeLog(whole);
  const sound = await answersIfSound(whole);
  if (!sound) throw new Error('The check finds damage in a sound log.');
  const before = orderOf(sound);
  const property = fc.asyncProperty(anyDamage, async (damage) => {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    copyFileSync(whole, file);
    damage.apply(file);
    const after = await answersIfSound(file);
    if (!after) return true;
    const byStream = STREAMS.map((stream) => after.all.filter((one) => one.stream === stream));
    return orderOf(after) === before && JSON.stringify(after.streams) === JSON.stringify(byStream);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}
