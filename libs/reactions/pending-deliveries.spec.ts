import { beforeEach, describe, expect, it } from '@jest/globals';
import { openMemoryReadStore, type ReadStore } from '#lib/read-models';
import { PendingDeliveries } from './pending-deliveries.js';
import { Reactions } from './reactions.js';
import { TakenOver } from './taken-over.js';

const reached = { position: 'log.1', place: { stream: 'session-1', revision: 0 } };

describe('the place of a reaction', () => {
  let store: ReadStore;
  beforeEach(async () => {
    store = openMemoryReadStore();
    await Reactions.prepare(store);
  });
  const under = (token: number, life = 0) => new PendingDeliveries(store, 'booking', token, life);

  it('is kept by the lease that was taken last', async () => {
    await under(1).begin(reached);
    expect(await under(2).take()).toMatchObject({ reached: 'log.1' });
    await expect(under(1).take()).rejects.toThrow(TakenOver);
    await expect(under(1).begin({ ...reached, position: 'log.0' })).rejects.toThrow(TakenOver);
    expect(await under(2).take()).toMatchObject({ reached: 'log.1' });
  });

  it('is not gone on with by a later one of its name', async () => {
    await under(1).begin(reached);
    expect(await under(2, 1).take()).toBeUndefined();
    await under(2, 1).begin({ position: 'log.5', place: undefined });
    expect(await under(2, 1).take()).toMatchObject({ reached: 'log.5' });
  });

  it('begins anew under the lease that has it', async () => {
    await under(1).begin(reached);
    await under(2).take();
    await under(2).begin({ position: 'log.7', place: undefined });
    expect(await under(2).take()).toMatchObject({ reached: 'log.7' });
  });
});
