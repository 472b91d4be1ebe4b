import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { commandsProjection } from '../commands/commands.projection.js';
import { insertRow } from '../store/insert-row.js';
import { commandsTable } from '../commands/commands.table.js';
import type { ReadStore } from '../store/read-store.js';
import { TestParts } from '../testing/test-parts.js';
import { readCheckpoints, rewindProjection } from './checkpoints.js';
import { Progress } from './progress.js';

const addCommand = insertRow(commandsTable);
const row = addCommand({ command_id: 'c', fingerprint: 'f', stream: 's', first_revision: 0 });

describe('the progress of a projection', () => {
  let parts: TestParts;
  let store: ReadStore;

  const open = async (storesEachMove = false) => {
    const progress = new Progress(store, commandsProjection, storesEachMove);
    await progress.load();
    return progress;
  };
  const stored = async () => (await readCheckpoints(store.db, [commandsProjection]))[0]?.position;

  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openReady([commandsProjection]);
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

  it('stores each move where other machines read the checkpoint', async () => {
    const progress = await open(true);
    await progress.move('log.1', []);
    expect(await stored()).toBe('log.1');
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
