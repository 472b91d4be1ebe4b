import type { Provider } from '@nestjs/common';
import { READ_STORE } from '#lib/operations';
import { type ReadStore, StoredLeases } from '#lib/read-models';
import type { LeaseHolder } from '#lib/workflow';
import { EngineSettings } from '../settings/engine-settings.js';
import { factory } from './provide.js';

/** The leases of this process, a `LeaseHolder`. */
export const LEASES = 'LEASES';

export const leasesProvider: Provider = factory(
  LEASES,
  [READ_STORE, EngineSettings],
  async (store: ReadStore, { runner }: EngineSettings): Promise<LeaseHolder> => ({
    leases: await StoredLeases.open(store, runner.time),
    ...runner,
  }),
);
