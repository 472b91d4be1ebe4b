import { copyAndVerify, type CopyReport } from '../copying/copy-and-verify.js';
import { copyDiffers } from '../copying/copy-differs.js';
import { CopyProgress } from '../copying/copy-progress.js';
import { logLocationOf, nameOf } from '../copying/log-location.js';
import { settingsFor } from '../engine/settings-for.js';
import { withLog } from '../engine/with-log.js';
import { InvalidInput, LogDamaged } from '../error-classes.js';
import { copyLines } from '../format/copy-lines.js';
import { paintFor } from '../format/paint.js';
import { type Io, printLines } from '../io.js';
import type { GlobalOptions, CopyOptions } from './hand-written-commands.js';
import { type EngineSettings, openReadStore, type TakenLog, takeLog } from '#lib/engine/core';

const NEXT =
  'the copy has positions of its own: start on it with an empty read store (docs/operations.md says how)';

export async function copy({ dataDir, json, to, from, verifyOnly = false }: CopyOptions, { out, err }: Io) {
  const settings = settingsFor(dataDir);
  const source = from === undefined ? settings : logLocationOf(from, settings.streamPrefix);
  const target = logLocationOf(to, settings.streamPrefix);
  const name = nameOf(target);
  const doing = verifyOnly ? 'comparing' : 'copying';
  printLines(err, [`${doing} the log ${nameOf(source)}, up to its end of now …`]);
  const progress = new CopyProgress(err);
  const report = await copyAndVerify({ from: source, to: target, verifyOnly }, progress.tell).finally(() =>
    progress.end(),
  );
  const { difference, events, sourceHasGrown } = report;
  if (json) out.write(`${JSON.stringify(documentOf(report))}\n`);
  if (difference) throw copyDiffers(name, difference, events);
  if (!json) printLines(out, copyLines(report, name, paintFor(out)));
  if (!verifyOnly) printLines(err, [NEXT]);
  if (sourceHasGrown) printLines(err, ['the log has grown during the copy: run this again to copy the rest']);
}

function documentOf(report: CopyReport) {
  return { identical: report.difference === undefined, ...report };
}

export async function check({ dataDir, json }: GlobalOptions, { out }: Io): Promise<void> {
  const findings = await withLog(settingsFor(dataDir), async ({ store }) => {
    if (store.checkIntegrity) return store.checkIntegrity();
    const why = 'it is on a server, whose own tools check it';
    throw new InvalidInput('the log cannot be checked', why, 'Unset EVENTSTOREDB_URL to check a log file');
  });
  if (json) out.write(`${JSON.stringify({ sound: findings.length === 0, findings })}\n`);
  if (findings.length > 0)
    throw new LogDamaged(
      'the event log',
      findings.join('; '),
      'Bring back a copy of the file together with its -wal file',
    );
  if (!json) out.write('sound: no damage was found in the log\n');
}

export async function claim({ dataDir, json }: GlobalOptions, { out }: Io): Promise<void> {
  const { before, leaseStore } = await claimLog(settingsFor(dataDir));
  if (json) out.write(`${JSON.stringify({ leaseStore, before: before ?? null })}\n`);
  else
    out.write(
      `claim: the log is run by engines with their leases in ${leaseStore}${said(before, leaseStore)}\n`,
    );
}

function said(before: string | undefined, now: string): string {
  if (before === undefined) return '';
  return before === now ? ', as before' : `; before it was ${before}`;
}

/** Binds the log to the read store of these settings. @throws InvalidInput for a log in a file, which needs no claim */
async function claimLog(settings: EngineSettings): Promise<TakenLog> {
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
