import { randomBytes } from 'node:crypto';
import type { EventLog } from '#lib/event-store';
import { Fingerprints } from '#lib/kernel';
import { logKeys, openSqliteReadStore, type ReadStore } from '#lib/read-models';
import type { EngineSettings } from '../settings/engine-settings.js';

const BYTES_OF_KEY = 32;

/**
 * Fingerprints under the key of this log. The key is with the rows if these are in PostgreSQL or in memory, else in a file beside the log,
 * which every process on the log shares. An engine that only reads records none.
 * @throws StoreUnavailable
 */
export async function openFingerprints(
  { store: { logId } }: EventLog,
  rows: ReadStore,
  { inMemory, databaseUrl, keysFile, readOnly }: EngineSettings,
): Promise<Fingerprints> {
  if (readOnly) return new Fingerprints(freshKey());
  if (inMemory || databaseUrl !== undefined) return fingerprintsIn(rows, logId);
  const keys = await openSqliteReadStore(keysFile);
  try {
    return await fingerprintsIn(keys, logId);
  } finally {
    // Closing the last connection writes all committed pages into the file and flushes it.
    await keys.close();
  }
}

async function fingerprintsIn(store: ReadStore, logId: string): Promise<Fingerprints> {
  const { key, others } = await logKeys(store, logId, freshKey);
  return new Fingerprints(key, others);
}

function freshKey(): string {
  return randomBytes(BYTES_OF_KEY).toString('base64url');
}
