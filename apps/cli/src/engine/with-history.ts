import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineSettings, eventCatalogue } from '#lib/engine/core';
import { type OpenedHistory, openHistory } from '#lib/histories/core';
import { InvalidInput } from '../error-classes.js';
import { type ReadModels, withRowsOf } from './with-log.js';

/** Opens a history file, checked whole. @throws NoHistory @throws HistoryBroken */
export async function withHistory<T>(file: string, work: (history: OpenedHistory) => Promise<T>): Promise<T> {
  const history = await openHistory(file, eventCatalogue());
  try {
    return await work(history);
  } finally {
    await history.log.store.close();
  }
}

/**
 * The same with the rows of what is in the file, in a folder that is removed afterwards.
 * @throws InvalidInput for a redacted file, which has nothing to show
 */
export function withRowsOfHistory<T>(
  file: string,
  work: (models: ReadModels, history: OpenedHistory) => Promise<T>,
): Promise<T> {
  return withHistory(file, async (history) => {
    if (history.head.redaction !== 'none') {
      const fix = 'Export it without --redact, or check it with redial replay';
      throw new InvalidInput(`the history file ${file}`, 'its content was left out', fix);
    }
    const dataDir = await mkdtemp(join(tmpdir(), 'redial-history-'));
    try {
      const settings = new EngineSettings({ dataDir });
      return await withRowsOf(history.log, settings, (models) => work(models, history));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}
