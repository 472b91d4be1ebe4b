import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EngineSettings, openReadStore, whyUnclaimed } from '#lib/engine/core';
import { cannotBeRead, type EventLog } from '#lib/event-store';
import {
  findRoot,
  type FoundRoot,
  HistoryNotWritten,
  HistoryTooLarge,
  keysOfHistory,
  planHistory,
  ProofTooLarge,
  type Redaction,
  refuseUnknownRoot,
  rootsOf,
  sealOfHistory,
  writeHistory,
  writeWhole,
} from '#lib/histories/core';
import { engineVersion, systemClock } from '#lib/kernel';
import { OPERATOR } from '#lib/operations/core';
import { SealedLog } from '#lib/seals/core';
import type { WorkflowRegistry } from '#lib/workflow';
import { settingsFor, withLog } from '../engine/with-log.js';
import { InvalidInput } from '../error-classes.js';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printJson, printLines } from '../io.js';
import { writing } from '../output-file.js';

interface ExportOptions extends GlobalOptions {
  readonly to: string;
  readonly all?: true;
  readonly redact?: 'content';
  readonly keys?: 'off';
}

interface Given {
  readonly redaction: Redaction;
  readonly hasKeys: boolean;
  readonly mayRecord: () => Promise<boolean>;
}

const HELD =
  'the log is an unclaimed copy, or an unclaimed file without its rows: content about subjects is exported without their keys';

/**
 * Writes one file for each root. A file is complete once it has its name.
 * @throws the failure of the first of all histories that cannot be written, after the others are written
 */
export async function exportHistory(options: ExportOptions, io: Io, named: readonly string[]): Promise<void> {
  const { dataDir, all, to, redact = 'none', keys, json } = options;
  if ((named.length === 0) === (all === undefined))
    throw new InvalidInput('redial history export', 'it takes ids or --all', 'Give one of them');
  if (isHistoryFile(to) && named.length !== 1)
    throw new InvalidInput(`--to ${to}`, 'a file holds one history', 'Name a folder, or one id');
  const ids: string[] = [];
  for (const one of named) ids.push(await sessionIdOf(one, { dataDir }));
  const settings = settingsFor(dataDir);
  await withLog(settings, async (log) => {
    const sealed = new SealedLog(log);
    let isClaimed: Promise<boolean> | undefined;
    const mayRecord = () => (isClaimed ??= isRecording(log, settings, io));
    const given: Given = { redaction: redact, hasKeys: keys !== 'off', mayRecord };
    let failure: Error | undefined;
    for await (const found of all
      ? rootsOf(log, settings.workflows)
      : rootsNamed(log, ids, settings.workflows)) {
      const { kind, id } = found.root;
      const file = isHistoryFile(to) ? to : join(to, `${kind}-${id}.jsonl`);
      try {
        const events = await writeFileOf(sealed, found, file, given);
        if (json) printJson(io, { file, root: found.root, events });
        else printLines(io.out, [`${file}  ${kind} ${id}  ${events} events`]);
      } catch (error) {
        if (!all || !isOfHistory(error)) throw error;
        failure ??= error;
        printLines(io.err, [`not written: ${kind} ${id}`]);
      }
    }
    if (failure) throw failure;
  });
}

/** Whether the error concerns one history: the others are still written. */
function isOfHistory(error: unknown): error is Error {
  const kinds = [HistoryNotWritten, HistoryTooLarge, ProofTooLarge];
  return cannotBeRead(error) || kinds.some((kind) => error instanceof kind);
}

/** Whether the log needs no claim; prints a line if it does. @throws StoreUnavailable */
async function isRecording(log: EventLog, settings: EngineSettings, io: Io): Promise<boolean> {
  const store = await openReadStore(settings);
  try {
    if ((await whyUnclaimed(log, store, settings)) === undefined) return true;
    printLines(io.err, [HELD]);
    return false;
  } finally {
    await store.close();
  }
}

/** @throws RejectionError for an unknown id */
async function* rootsNamed(
  log: EventLog,
  ids: readonly string[],
  workflows: WorkflowRegistry,
): AsyncGenerator<FoundRoot> {
  for (const id of ids) yield (await findRoot(log, id, workflows)) ?? refuseUnknownRoot(id);
}

/** @returns how many events it has */
async function writeFileOf(
  sealed: SealedLog,
  found: FoundRoot,
  file: string,
  { redaction, ...given }: Given,
): Promise<number> {
  // A folder that cannot be made ends the export before the log records that keys were taken.
  await writing(file, async () => void (await mkdir(dirname(file), { recursive: true })));
  const { log } = sealed;
  const plan = await planHistory(log, found);
  const seal = await sealOfHistory(sealed, plan);
  const keys = redaction === 'none' ? await keysOfHistory(log, plan, { by: OPERATOR, ...given }) : [];
  const written = { redaction, keys, engine: engineVersion(), now: systemClock.now(), seal };
  await writing(file, () => writeWhole(file, writeHistory(log, plan, written)));
  return plan.streams.reduce((sum, { events }) => sum + events, 0);
}
