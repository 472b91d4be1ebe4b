import { type EngineSettings, openReadStore, type TakenLog, takeLog } from '#lib/engine/core';
import { withLog } from '../engine/with-log.js';
import { InvalidInput } from '../errors.js';

/** Binds the log to the read store of these settings. @throws InvalidInput for a log in a file, which needs no claim */
export async function claimLog(settings: EngineSettings): Promise<TakenLog> {
  if (settings.eventStoreDbUrl === undefined) {
    const why = 'it is in a file, and who runs it shares its folder';
    throw new InvalidInput('the log needs no claim', why, 'Set EVENTSTOREDB_URL to claim a log there');
  }
  return withLog(settings, async (log) => {
    const store = await openReadStore(settings);
    try {
      return await takeLog(log, store);
    } finally {
      await store.close();
    }
  });
}
