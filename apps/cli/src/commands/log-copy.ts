import { copyKeys, type EngineSettings, type LogLocation, openEventStore } from '#lib/engine/core';
import {
  compareLogs,
  type CopyDifference,
  copyLog,
  type EventStore,
  type LogComparison,
  StreamNames,
  withPatience,
} from '#lib/event-store';
import { markCopy } from '#lib/seals/core';
import { settingsFor } from '../engine/with-log.js';
import { CopyDiffers } from '../error-classes.js';
import { assertExists, logLocationOf, nameOf } from '../input/log-location.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, type Paint, paintFor, printJson, printLines, type Sink } from '../io.js';
import { CLEAR_LINE } from '../terminal.js';

interface CopyOptions extends GlobalOptions {
  readonly to: string;
  readonly from?: string;
  readonly verifyOnly?: boolean;
}

interface CopyReport extends LogComparison {
  /** Events that this run has copied; the others were in the copy already. */
  readonly copied: number;
  /** Keys of subjects in the copy; absent if the logs are only compared. */
  readonly keys?: number;
  /** Whether the source has grown since this run began. */
  readonly sourceHasGrown: boolean;
}

const NEXT =
  'the copy has positions of its own: start on it with an empty read store (docs/operations.md says how)';

/** The patience of the first answer, for which a person waits. A copy in progress outlasts an election. */
const OPEN_PATIENCE_MS = 10_000;

export async function copy(options: CopyOptions, io: Io): Promise<void> {
  const { dataDir, json, to, from, verifyOnly = false } = options;
  const settings = settingsFor(dataDir);
  const source = from === undefined ? settings : logLocationOf(from, settings.streamPrefix);
  const target = logLocationOf(to, settings.streamPrefix);
  const name = nameOf(target);
  const doing = verifyOnly ? 'comparing' : 'copying';
  printLines(io.err, [`${doing} the log ${nameOf(source)}, up to its end of now …`]);
  const report = await copyAndVerify(settings, { source, target, verifyOnly }, io.err);
  const { difference } = report;
  if (json) printJson(io, { identical: difference === undefined, ...report });
  if (difference) throw copyDiffers(name, difference, report.events);
  if (!json) printLines(io.out, copyLines(report, name, paintFor(io.out)));
  if (!verifyOnly) printLines(io.err, [NEXT]);
  if (report.sourceHasGrown)
    printLines(io.err, ['the log has grown during the copy: run this again to copy the rest']);
}

function copyLines(report: CopyReport, target: string, paint: Paint): readonly string[] {
  const { copied, keys = 0, events, streams, blobs, sha256 } = report;
  return [
    `copy: ${copied} events copied to ${target}, ${events - copied} were there before`,
    ...(keys > 0 ? [`keys: ${keys} keys of subjects, wrapped for the copy`] : []),
    `${paint('green', 'verify: identical')} (${events} events in ${streams} streams, ${blobs} large bodies)`,
    `sha256: ${sha256}`,
  ];
}

interface Copying {
  readonly source: LogLocation;
  readonly target: LogLocation;
  readonly verifyOnly: boolean;
}

/**
 * Copies a log up to its current end, with the keys of its subjects, then reads both logs whole and compares them.
 * @throws NoLog | CopyRefused | StoreUnavailable | MasterKeyRefused | KeyMissing
 */
async function copyAndVerify(
  settings: EngineSettings,
  { source: from, target: to, verifyOnly }: Copying,
  err: Sink,
): Promise<CopyReport> {
  for (const location of verifyOnly ? [from, to] : [from]) assertExists(location);
  const names = new StreamNames(from.streamPrefix);
  return withStore(from, true, (source) =>
    withStore(to, verifyOnly, async (target) => {
      const pair = { source, target, names, until: await source.head() };
      const progress = new CopyProgress(err);
      try {
        // A copy that is cut off is marked, too, so that its engine does not act by itself.
        const onBegin = () => markCopy(target, source, names, 0);
        const copied = verifyOnly
          ? 0
          : await copyLog({ ...pair, onBegin, onProgress: progress.of('copied') });
        if (!verifyOnly) await markCopy(target, source, names, copied);
        const [read, written] = [
          { logId: source.logId, location: from },
          { logId: target.logId, location: to },
        ];
        const keys = verifyOnly ? undefined : await copyKeys(settings, read, written);
        const comparison = await compareLogs({ ...pair, onProgress: progress.of('verified') });
        return {
          copied,
          ...(keys !== undefined && { keys }),
          ...comparison,
          sourceHasGrown: (await source.head()) !== pair.until,
        };
      } finally {
        progress.end();
      }
    }),
  );
}

async function withStore<T>(
  location: LogLocation,
  mustExist: boolean,
  work: (store: EventStore) => Promise<T>,
): Promise<T> {
  const store = await withPatience(OPEN_PATIENCE_MS, () => openEventStore(location, mustExist));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const EVERY_MS = 1000;

/** A line of progress, at most one a second; on a terminal it is overwritten. */
class CopyProgress {
  #saidAt = performance.now();
  #isOpen = false;

  constructor(private readonly err: Sink) {}

  /** Called with the number of finished events; each part of the work counts from zero. */
  of(doing: 'copied' | 'verified'): (events: number) => void {
    return (events) => {
      const now = performance.now();
      if (now - this.#saidAt < EVERY_MS) return;
      this.#saidAt = now;
      const text = `${events} events ${doing} …`;
      this.err.write(this.err.isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
      this.#isOpen = this.err.isTTY === true;
    };
  }

  /** Clears the line of progress before other output. */
  end(): void {
    if (this.#isOpen) this.err.write(CLEAR_LINE);
    this.#isOpen = false;
  }
}

const SAID: { readonly [What in CopyDifference['what']]: string } = {
  event: 'should stand where another event is',
  eventId: 'has another id there',
  type: 'has another type there',
  data: 'has other data there',
  metadata: 'has other metadata there',
  'missing in the target': 'is missing there',
  'only in the target': 'is there, and not in the source',
};

function copyDiffers(target: string, difference: CopyDifference, events: number): CopyDiffers {
  const { what, stream, revision } = difference;
  const fix =
    what === 'missing in the target'
      ? 'Run redial log copy without --verify-only to copy the rest; if that is refused, copy to an empty target'
      : 'Do not use it; find out who wrote to it, and copy to an empty target';
  const why = `${stream} revision ${revision} ${SAID[what]}, after ${events} equal events`;
  return new CopyDiffers(`${target} is not a copy of the log`, why, fix);
}
