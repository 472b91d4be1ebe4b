import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ERASED, type EventLog, type MasterKey } from '#lib/event-store';
import { NoKeys, openSqliteKeyStore, type ReadStore, SubjectKeys, type WithKeyStore } from '#lib/read-models';
import { isErased } from '#lib/subjects/core';
import type { EngineSettings } from '../settings/engine-settings.js';
import type { LogLocation } from './open-event-log.js';
import { openReadStore } from './open-read-side.js';

/**
 * The keys of the subjects of this log, which the log looks up here from now on. They are stored where the keys of fingerprints are: with
 * the rows if these are in PostgreSQL or in memory, else in a file beside the log.
 * @param rows if they are open
 */
export function subjectKeys(log: EventLog, settings: EngineSettings, rows?: ReadStore): SubjectKeys {
  const { masterKey } = settings;
  const keys = new SubjectKeys(log.store.logId, masterKey, keyStoreOf(settings, settings, rows));
  // A history file has its own keys.
  if (settings.historyFile !== undefined || (!masterKey && !mayHaveKeys(settings))) return keys;
  // The log decides: a store of keys may be older than the log.
  const find = async (subject: string) => ((await isErased(log, subject)) ? ERASED : keys.find(subject));
  log.keys.use({ find }, masterKey !== undefined, (subject) => log.forget(subject));
  return keys;
}

/**
 * The keys of subjects at the start of an engine.
 * @throws MasterKeyRefused for a master key that is missing or is another one
 * @throws StoreUnavailable
 */
export async function openSubjectKeys(
  log: EventLog,
  rows: ReadStore,
  settings: EngineSettings,
): Promise<SubjectKeys> {
  const keys = subjectKeys(log, settings, rows);
  if (mayHaveKeys(settings) && settings.historyFile === undefined) await keys.check();
  return keys;
}

/**
 * Wraps all keys in another master key. @returns how many
 * @throws NoKeys: then no file is made @throws MasterKeyRefused @throws KeyMissing @throws StoreUnavailable
 */
export async function rotateKeys(log: EventLog, settings: EngineSettings, next: MasterKey): Promise<number> {
  if (!mayHaveKeys(settings)) throw new NoKeys(settings.keysFile);
  return subjectKeys(log, settings).rotate(next);
}

interface CopiedLog {
  readonly logId: string;
  readonly location: LogLocation;
}

type KeyPlace = Pick<EngineSettings, 'inMemory' | 'databaseUrl' | 'keysFile'>;

/**
 * Copies the keys of the subjects of a log, and their tombstones, to its copy. The keys of a log in another file than that of the settings
 * are beside that file; all others are where an engine with the settings has them.
 * @returns how many keys
 * @throws MasterKeyRefused @throws KeyMissing @throws StoreUnavailable
 */
export async function copyKeys(settings: EngineSettings, from: CopiedLog, to: CopiedLog): Promise<number> {
  const place = keyPlaceOf(settings, from.location);
  if (!mayHaveKeys(place)) return 0;
  const keysOf = ({ logId }: CopiedLog, at: KeyPlace) =>
    new SubjectKeys(logId, settings.masterKey, keyStoreOf(settings, at));
  return keysOf(from, place).copyTo(keysOf(to, keyPlaceOf(settings, to.location)));
}

function keyPlaceOf(settings: EngineSettings, { eventStoreDbUrl, logFile }: LogLocation): KeyPlace {
  const isBeside = eventStoreDbUrl === undefined && resolve(logFile) !== resolve(settings.logFile);
  if (!isBeside) return settings;
  return { inMemory: false, databaseUrl: undefined, keysFile: join(dirname(logFile), 'keys.sqlite') };
}

/** Whether a look-up of keys makes no file. */
function mayHaveKeys({ inMemory, databaseUrl, keysFile }: KeyPlace): boolean {
  return inMemory || databaseUrl !== undefined || existsSync(keysFile);
}

function keyStoreOf(settings: EngineSettings, place: KeyPlace, rows?: ReadStore): WithKeyStore {
  const areWithRows = place.inMemory || place.databaseUrl !== undefined;
  if (rows && areWithRows) return (use) => use(rows);
  const open = () => (areWithRows ? openReadStore(settings) : openSqliteKeyStore(place.keysFile));
  return async (use) => {
    const store = await open();
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
}
