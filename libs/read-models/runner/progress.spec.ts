import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { commandsProjection, commandsTable } from '../commands/commands.read-model.js';
import { machinesProjection, machinesTable } from '../machines/machines.read-model.js';
import { insertRow } from '../store/row-changes.js';
import type { ReadStore } from '../store/read-store.js';
import type { Change } from '../store/statement.js';
import { appendAll, sampleMachine } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { readCheckpoints, rewindProjection } from './checkpoints.js';
import { LogReader } from './log-reader.js';
import { Progress } from './progress.js';
import type { Projection } from './projection.js';
import { ProjectionLoop } from './projection-loop.js';
import { ProjectionTaker } from './projection-taker.js';

const addCommand = insertRow(commandsTable);
const row = addCommand({ commandId: 'c', fingerprint: 'f', stream: 's', firstRevision: 0 });
const addMachine = insertRow(machinesTable)({
  machineName: 'door',
  version: 1,
  hash: 'h',
  definition: sampleMachine,
  isCurrent: true,
});
const specialistEnabled = {
  category: 'specialist',
  id: 's',
  event: { type: 'SpecialistEnabled', data: {} },
} as const;

describe('the progress of a projection', () => {
  let parts: TestParts;
  let store: ReadStore;

  const open = async (projection: Projection = commandsProjection, onAhead?: () => void) => {
    const progress = new Progress(store, projection, onAhead);
    await progress.load();
    return progress;
  };
  const stored = async () => (await readCheckpoints(store.db, [commandsProjection]))[0]?.position;

  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openReady([commandsProjection, machinesProjection]);
  });
  afterEach(() => parts.close());

  it('stores no checkpoint for events that change no row, until the next row or `store`', async () => {
    const progress = await open();
    await progress.move('log.1', []);
    expect([progress.reached, await stored()]).toEqual(['log.1', '']);
    await progress.move('log.2', [row]);
    expect(await stored()).toBe('log.2');
    await progress.move('log.3', []);
    await progress.store();
    expect(await stored()).toBe('log.3');
  });

  it('stores several that were moved in memory in one transaction, and says when one moves', async () => {
    let moves = 0;
    const all = [
      await open(commandsProjection, () => (moves += 1)),
      await open(machinesProjection, () => (moves += 1)),
    ];
    for (const progress of all) await progress.move('log.1', []);
    const writes: number[] = [];
    const counting: ReadStore = {
      ...store,
      db: store.db,
      write: (changes) => {
        writes.push(changes.length);
        return store.write(changes);
      },
    };
    await Progress.storeTogether(counting, all);
    await Progress.storeTogether(counting, all);
    expect([moves, writes]).toEqual([2, [2]]);
    expect(await stored()).toBe('log.1');
    expect(await all[0]?.move('log.2', [row])).toBe(true);
  });

  it.each([
    [true, 2],
    [false, 0],
  ])('is stored after each page without rows if writes share a transaction: %s', async (isShared, stores) => {
    const events = Array.from({ length: 600 }, () => specialistEnabled);
    const last = await appendAll(parts.log, events);
    const write = jest.fn((changes: readonly Change[]) => store.write(changes));
    const watched = { ...store, db: store.db, sharesTransactions: isShared, write };
    const [reader, onAhead, onStopped] = [new LogReader(parts.log), jest.fn(), jest.fn()];
    const taker = new ProjectionTaker(machinesProjection, watched, onAhead);
    const loop = new ProjectionLoop(taker, { reader, holder: undefined, onStopped });
    const running = loop.run();
    while (taker.reached !== last) await setImmediate();
    loop.stop();
    await running;
    expect(write).toHaveBeenCalledTimes(stores);
  });

  it('stores the others when one of them was rewound, and leaves out one that is being written', async () => {
    const [rewound, other] = [await open(), await open(machinesProjection)];
    await rewound.move('log.2', [row]);
    for (const progress of [rewound, other]) await progress.move('log.3', []);
    await store.write(rewindProjection(commandsProjection, 'log.2'));
    await Progress.storeTogether(store, [rewound, other]);
    expect([rewound.isAhead, other.isAhead]).toEqual([true, false]);
    const moving = other.move('log.4', [addMachine]);
    await Progress.storeTogether(store, [other]);
    expect([await moving, other.isAhead]).toEqual([true, false]);
  });

  it('keeps what it moved in memory over a turn, and takes a checkpoint that another process stored', async () => {
    const [one, other] = [await open(), await open()];
    await one.move('log.1', []);
    await one.load();
    expect(one.reached).toBe('log.1');
    await other.move('log.2', [row]);
    expect(await one.move('log.3', [row])).toBe(false);
    await one.load();
    expect(one.reached).toBe('log.2');
  });

  it('counts nothing as taken after a rewind, and a move that began before it fails', async () => {
    const progress = await open();
    await progress.move('log.2', [row]);
    expect(progress.reachedWith('')).toBe('');
    progress.forget();
    expect(progress.reached).toBe('');
    await store.write(rewindProjection(commandsProjection, 'log.2'));
    expect(await progress.move('log.3', [row])).toBe(false);
  });
});
