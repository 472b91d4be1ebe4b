import { InvalidSetting, rotateKeys } from '#lib/engine/core';
import { settingsFor, withLog } from '../engine/with-log.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

const NEW = 'REDIAL_MASTER_KEY_NEW';

/** @throws InvalidSetting without a new master key @throws NoKeys @throws MasterKeyRefused @throws KeyMissing @throws NoLog */
export async function rotate({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const settings = settingsFor(dataDir);
  const { masterKeyNew } = settings;
  if (!masterKeyNew)
    throw new InvalidSetting(NEW, 'it is not set', 'Make a key with: openssl rand -base64 32');
  const keys = await withLog(settings, (log) => rotateKeys(log, settings, masterKeyNew));
  printResult(io, json, { keys }, () => [
    `keys: the new master key wraps ${keys} keys; set REDIAL_MASTER_KEY to it, and destroy the old one once no backup of the keys needs it`,
  ]);
}
