import { type EngineSettings, openEventLog } from '#lib/engine/core';
import type { EventLog } from '#lib/event-store';
import { assertLog } from './assert-log.js';

/**
 * Opens the log to read it: nothing of the engine runs, so looking starts no recovery and calls no model. Others may write
 * to it at the same time.
 * @throws NoLog where there is none: looking makes no files
 */
export async function withLog<T>(settings: EngineSettings, work: (log: EventLog) => Promise<T>): Promise<T> {
  assertLog(settings);
  const log = await openEventLog(settings);
  try {
    return await work(log);
  } finally {
    await log.store.close();
  }
}
