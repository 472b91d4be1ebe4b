import { openReadStore, takeLog } from '#lib/engine/core';
import { settingsFor, withLog } from '../engine/with-log.js';
import { InvalidInput, LogDamaged } from '../error-classes.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

export async function check({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const findings = await withLog(settingsFor(dataDir), async ({ store }) => {
    if (store.checkIntegrity) return store.checkIntegrity();
    const why = 'it is on a server, whose own tools check it';
    throw new InvalidInput('the log cannot be checked', why, 'Unset EVENTSTOREDB_URL to check a log file');
  });
  printResult(io, json, { sound: findings.length === 0, findings }, ({ sound }) =>
    sound ? ['sound: no damage was found in the log'] : [],
  );
  if (findings.length > 0)
    throw new LogDamaged(
      'the event log',
      findings.join('; '),
      'Bring back a copy of the file together with its -wal file',
    );
}

/** Binds the log to the read store of these settings. @throws InvalidInput for a log in a file, which needs no claim */
export async function claim({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const settings = settingsFor(dataDir);
  if (settings.eventStoreDbUrl === undefined) {
    const why = 'it is in a file, and who runs it shares its folder';
    throw new InvalidInput('the log needs no claim', why, 'Set EVENTSTOREDB_URL to claim a log there');
  }
  const { before, leaseStore } = await withLog(settings, async (log) => {
    const store = await openReadStore(settings);
    try {
      return await takeLog(log, store);
    } finally {
      await store.close();
    }
  });
  const changed = before === leaseStore ? ', as before' : `; before it was ${before}`;
  printResult(io, json, { leaseStore, before: before ?? null }, () => [
    `claim: the log is run by engines with their leases in ${leaseStore}${before === undefined ? '' : changed}`,
  ]);
}
