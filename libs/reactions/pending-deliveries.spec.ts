import { beforeEach, describe, expect, it } from '@jest/globals';
import { openMemoryReadStore, type ReadStore } from '#lib/read-models';
import { PendingDeliveries, TakenOver } from './pending-deliveries.js';
import { Reactions } from './reactions.js';

const reached = { position: 'log.1', place: { stream: 'session-1', revision: 0 } };

describe('the place of a reaction', () => {
  let store: ReadStore;
  beforeEach(async () => {
    store = openMemoryReadStore();
    await Reactions.prepare(store);
  });
  const under = (token: number) => new PendingDeliveries(store, 'booking', token);

  it('is kept by the lease that was taken last', async () => {
    await under(1).begin(reached);
    expect(await under(2).take()).toMatchObject({ reached: 'log.1' });
    await expect(under(1).take()).rejects.toThrow(TakenOver);
    await expect(under(1).begin({ ...reached, position: 'log.0' })).rejects.toThrow(TakenOver);
    expect(await under(2).take()).toMatchObject({ reached: 'log.1' });
  });

  it('begins anew under the lease that has it', async () => {
    await under(1).begin(reached);
    await under(2).take();
    await under(2).begin({ position: 'log.7', place: undefined });
    expect(await under(2).take()).toMatchObject({ reached: 'log.7' });
  });
});
