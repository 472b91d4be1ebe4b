import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type EngineSettings, openEventLog } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import { NoLog } from '../errors.js';

/**
 * Opens the log to read it: nothing of the engine runs, so looking starts no recovery and calls no model. Others may write
 * to it at the same time.
 * @throws NoLog where there is none: looking makes no files
 */
export async function withLog<T>(settings: EngineSettings, work: (log: EventLog) => Promise<T>): Promise<T> {
  const { eventStoreDbUrl, logFile } = settings;
  if (eventStoreDbUrl === undefined && !existsSync(logFile)) throw noLog(dirname(logFile));
  const log = await openEventLog(settings);
  try {
    return await work(log);
  } finally {
    await log.store.close();
  }
}

function noLog(folder: string): NoLog {
  const fix = 'Name the folder with --data-dir, or make a log with redial run or redial serve';
  return new NoLog(`nothing to look at in ${folder}`, 'it holds no event log', fix);
}
