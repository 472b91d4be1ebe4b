import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineSettings, eventCatalogue, type RedialOptions } from '#lib/engine/core';
import { type OpenedHistory, openHistory } from '#lib/histories/core';
import { InvalidInput } from '../error-classes.js';
import { type ReadModels, withRowsOf } from './with-log.js';

/** The session, run or conversation of a history file. */
export type HistoryRoot = OpenedHistory['head']['root'];

/** Opens a history file, which is checked whole. @throws NoHistory @throws HistoryBroken */
export async function withHistory<T>(file: string, work: (history: OpenedHistory) => Promise<T>): Promise<T> {
  const history = await openHistory(file, eventCatalogue());
  try {
    return await work(history);
  } finally {
    await history.log.store.close();
  }
}

/**
 * As `withHistory`, with the rows of the file in a folder that is removed afterwards.
 * @throws InvalidInput for a redacted file, which has no content to show
 */
export function withRowsOfHistory<T>(
  file: string,
  work: (models: ReadModels, history: OpenedHistory) => Promise<T>,
): Promise<T> {
  return withHistory(file, async (history) => {
    refuseRedacted(file, history);
    return inFolder((dataDir) =>
      withRowsOf(history.log, new EngineSettings({ dataDir }), (models) => work(models, history)),
    );
  });
}

/**
 * Options of an engine on a history file, whose rows are in a folder that is removed afterwards. The environment is left out: the file is
 * shown in the same way on every machine, and no part of it goes to a server.
 * @throws InvalidInput for a redacted file
 */
export async function withFolderForRows<T>(
  file: string,
  work: (options: RedialOptions, root: HistoryRoot) => Promise<T>,
): Promise<T> {
  const root = await withHistory(file, (history) => {
    refuseRedacted(file, history);
    return Promise.resolve(history.head.root);
  });
  return inFolder((dataDir) => work({ dataDir, history: file }, root));
}

function refuseRedacted(file: string, { head: { redaction } }: OpenedHistory): void {
  if (redaction === 'none') return;
  const fix = 'Export it without --redact, or check it with redial replay';
  throw new InvalidInput(`the history file ${file}`, 'its content was left out', fix);
}

async function inFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'redial-history-'));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
