import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EngineSettings } from '#lib/engine';
import { NoLog } from '../error-classes.js';

/** Only what begins something makes files. @throws NoLog where the log would be in a file that is not there */
export function assertLog({ eventStoreDbUrl, logFile }: EngineSettings): void {
  if (eventStoreDbUrl !== undefined || existsSync(logFile)) return;
  const fix = 'Name the folder with --data-dir, or make a log with redial run or redial serve';
  throw new NoLog(`nothing to look at in ${dirname(logFile)}`, 'it holds no event log', fix);
}
