import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { machinesProjection } from '../machines/machines.projection.js';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { specialistsProjection } from '../specialists/specialists.projection.js';
import type { ReadStore } from '../store/read-store.js';
import { TestParts } from '../testing/test-parts.js';
import { CheckpointMoves } from './checkpoint-moves.js';
import { readCheckpoints } from './checkpoints.js';

const three = [machinesProjection, specialistsProjection, sessionsProjection];

describe('checkpoints that move without rows', () => {
  let parts: TestParts;
  let store: ReadStore;
  let moves: CheckpointMoves;

  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openReady(three);
    moves = new CheckpointMoves(store);
  });
  afterEach(() => parts.close());

  const positions = async () => (await readCheckpoints(store.db, three)).map(({ position }) => position);

  it('move in one transaction where they move in one turn', async () => {
    const before = store.arrivals.count;
    const moved = await Promise.all(three.map((projection) => moves.move(projection, '', 'log.1')));
    expect(moved).toEqual([true, true, true]);
    expect(store.arrivals.count - before).toBe(1);
    expect(await moves.move(sessionsProjection, 'log.1', 'log.2')).toBe(true);
    expect(await positions()).toEqual(['log.1', 'log.1', 'log.2']);
  });

  it('hold up no other where one is elsewhere', async () => {
    await moves.move(specialistsProjection, '', 'log.1');
    const moved = await Promise.all(three.map((projection) => moves.move(projection, '', 'log.2')));
    expect(moved).toEqual([true, false, true]);
    expect(await positions()).toEqual(['log.2', 'log.1', 'log.2']);
  });

  it('all fail with the store', async () => {
    const moving = three.map((projection) => moves.move(projection, '', 'log.1'));
    await store.close();
    for (const one of await Promise.allSettled(moving)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } });
    }
  });
});
