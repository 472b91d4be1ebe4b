import { openReadStore, takeLog, whyUnclaimed } from '#lib/engine/core';
import { damagedEvents, type EventLog, type KeyMissing } from '#lib/event-store';
import { settingsFor, withLog } from '../engine/with-log.js';
import { InvalidInput, LogDamaged } from '../error-classes.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

/** The most findings that are printed. */
const MOST_FINDINGS = 20;

/** @throws LogDamaged @throws KeyMissing for the first key that is missing, after all others are looked at @throws NoLog */
export async function check({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const { findings, missing } = await withLog(settingsFor(dataDir), damageIn);
  const sound = findings.length === 0 && !missing;
  printResult(io, json, { sound, findings }, () => (sound ? ['sound: no damage was found in the log'] : []));
  if (findings.length > 0) {
    const fix = 'Restore a copy of the log; a file together with its -wal file';
    throw new LogDamaged('the event log', findings.join('; '), fix);
  }
  if (missing) throw missing;
}

interface Damage {
  readonly findings: readonly string[];
  /** There is no other damage, but content that is encrypted with this key was not checked. */
  readonly missing?: KeyMissing;
}

/** The damage in the file, if the log is one, else in its events: a damaged file is read no further. */
async function damageIn(log: EventLog): Promise<Damage> {
  const ofFile = (await log.store.checkIntegrity?.()) ?? [];
  if (ofFile.length > 0) return { findings: ofFile };
  const { damaged, ...rest } = await damagedEvents(log, MOST_FINDINGS);
  const findings = damaged.map(
    ({ stored: { type, stream, revision }, why }) => `${type} at ${stream} revision ${revision}: ${why}`,
  );
  return { findings, ...rest };
}

/**
 * Binds the log to the read store of these settings, and lets timers and reactions of a copy continue.
 * @throws InvalidInput for a log in a file that needs no claim
 */
export async function claim({ dataDir, json }: GlobalOptions, io: Io): Promise<void> {
  const settings = settingsFor(dataDir);
  const { before, leaseStore } = await withLog(settings, async (log) => {
    const store = await openReadStore(settings);
    try {
      if (
        settings.eventStoreDbUrl === undefined &&
        (await whyUnclaimed(log, store, settings)) === undefined
      ) {
        const why = 'its rows are those of this log and may be used';
        throw new InvalidInput('the log needs no claim', why, 'Set EVENTSTOREDB_URL to claim a log there');
      }
      return await takeLog(log, store, settings);
    } finally {
      await store.close();
    }
  });
  const changed = before === leaseStore ? ', as before' : `; before it was ${before}`;
  printResult(io, json, { leaseStore, before: before ?? null }, () => [
    `claim: the log is run by engines with their leases in ${leaseStore}${before === undefined ? '' : changed}`,
  ]);
}
