import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore, isBlobStream, type StoredEvent, StoreUnavailable } from '#lib/event-store';
import type { Fold, LoopModels, ReadModel } from '../loop/declare.js';
import type { ReadStore } from '../store/read-store.js';
import { appendAll, openLog, type PlacedEvent } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import type { ProjectionRunner } from './projection-runner.js';
import type { ProjectionStatus } from './projection-status.js';

const LONG_MS = 20_000;

/** A store that can lose its blobs, or fail to read them. */
class FailingStore extends InMemoryEventStore {
  blobs: 'there' | 'lost' | 'out of reach' = 'there';

  override async readStream(
    ...args: Parameters<InMemoryEventStore['readStream']>
  ): Promise<readonly StoredEvent[]> {
    if (!isBlobStream(args[0]) || this.blobs === 'there') return super.readStream(...args);
    if (this.blobs === 'lost') return [];
    throw new StoreUnavailable('cannot read', 'it is out of reach', 'Wait');
  }
}

type Noting = ReadModel & { readonly taken: string[] };

/** Notes the specialist and the size of each event. */
function noting(name: string, takes: 'every' | 'small'): Noting {
  const taken: string[] = [];
  const note: Fold = (_page, { data }, id) => void taken.push(`${id} ${JSON.stringify(data).length}`);
  return {
    name,
    kinds: [],
    taken,
    on: { specialist: takes === 'every' ? note : { SpecialistDisabled: note } },
  };
}

const alone = (model: ReadModel): LoopModels => ({ name: model.name, models: [model], version: 1 });

const small = (id: string): PlacedEvent => {
  return { category: 'specialist', id, event: { type: 'SpecialistDisabled', data: {} } };
};
const large = (id: string): PlacedEvent => {
  const data = { text: id.repeat(3_000_000) };
  return { category: 'specialist', id, event: { type: 'SpecialistEnabled', data } };
};
const WHOLE = 3_000_011;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

async function statusOf(runner: ProjectionRunner, name: string): Promise<ProjectionStatus | undefined> {
  return (await runner.status()).find((status) => status.name === name);
}

describe('events with blobs', () => {
  let log: FailingStore;
  let parts: TestParts;
  let store: ReadStore;
  let every: Noting;
  let some: Noting;
  let runner: ProjectionRunner;

  beforeEach(async () => {
    log = new FailingStore();
    parts = new TestParts(openLog(log));
    store = await parts.openStore();
    [every, some] = [noting('every', 'every'), noting('some', 'small')];
    runner = parts.runnerOf(store, [every, some].map(alone));
  });
  afterEach(() => parts.close());

  const events = [small('a'), large('b'), small('c'), large('d'), large('e'), small('f')];
  const notes = ['a 2', `b ${WHOLE}`, 'c 2', `d ${WHOLE}`, `e ${WHOLE}`, 'f 2'];

  it('come whole and in order, while it catches up, live, and again in a rebuild', async () => {
    await appendAll(parts.log, events.slice(0, 4));
    await runner.start();
    await runner.waitFor(runner.names, await appendAll(parts.log, events.slice(4), 4), LONG_MS);
    expect(every.taken).toEqual(notes);
    expect(some.taken).toEqual(['a 2', 'c 2', 'f 2']);
    await runner.rebuild('every');
    await until(async () => every.taken.length === 2 * notes.length);
    expect(every.taken).toEqual([...notes, ...notes]);
  });

  it('count as behind with their blobs, and as nothing once they are taken, though a blob ends the log', async () => {
    await runner.prepare();
    await appendAll(parts.log, [large('a'), small('b')]);
    await log.append('redial_blob-x', 'any', [
      { eventId: 'x', type: 'BlobChunk', data: '{}', metadata: '{}' },
    ]);
    expect((await statusOf(runner, 'every'))?.lag).toBeGreaterThan(2);
    await runner.start();
    await runner.caughtUpWithHead(LONG_MS);
    expect(await statusOf(runner, 'every')).toMatchObject({ lag: 0, status: 'live' });
  });

  it('let their streams alone stand still when a blob is lost, in loops that take them', async () => {
    await appendAll(parts.log, events);
    log.blobs = 'lost';
    await runner.start();
    await runner.caughtUpWithHead(LONG_MS);
    expect((await statusOf(runner, 'every'))?.error).toMatchObject({
      type: 'SpecialistEnabled',
      stream: 'redial_specialist-b',
      message: expect.stringContaining('is missing or changed'),
    });
    expect(await statusOf(runner, 'some')).not.toHaveProperty('error');
    expect(every.taken).toEqual(['a 2', 'c 2', 'f 2']);
    log.blobs = 'there';
    await runner.rebuild('every');
    await until(async () => every.taken.length === 3 + notes.length);
    expect(every.taken.slice(3)).toEqual(notes);
  });

  it('are not to blame when the log cannot be read', async () => {
    await appendAll(parts.log, events);
    log.blobs = 'out of reach';
    await runner.start();
    await until(async () => (await statusOf(runner, 'every'))?.status === 'stopped');
    const error = (await statusOf(runner, 'every'))?.error;
    expect(error?.message).toContain('[StoreUnavailable]');
    expect(error).not.toHaveProperty('eventId');
    log.blobs = 'there';
    await runner.caughtUpWithHead(LONG_MS);
    expect(every.taken).toEqual(notes);
  });
});
