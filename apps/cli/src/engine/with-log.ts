import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type EngineSettings, eventCatalogue } from '#lib/engine';
import { EventLog, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { NoLog } from '../errors.js';

/**
 * Opens the log to read it: nothing of the engine runs, so looking starts no recovery and calls no model. Others may write
 * to it at the same time.
 * @throws NoLog where there is none: looking makes no files
 */
export async function withLog<T>(
  { logFile, streamPrefix }: EngineSettings,
  work: (log: EventLog) => Promise<T>,
): Promise<T> {
  if (!existsSync(logFile)) throw noLog(dirname(logFile));
  const store = await SqliteEventStore.open(logFile);
  try {
    return await work(new EventLog(store, eventCatalogue(), new StreamNames(streamPrefix)));
  } finally {
    await store.close();
  }
}

function noLog(folder: string): NoLog {
  const fix = 'Name the folder with --data-dir, or make a log with redial run or redial serve';
  return new NoLog(`nothing to look at in ${folder}`, 'it holds no event log', fix);
}
