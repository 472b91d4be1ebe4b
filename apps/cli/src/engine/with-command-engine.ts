import type { Sink } from '../io.js';
import { CATCH_UP_MS } from './ask-rows.js';
import { assertLog } from './assert-log.js';
import { settingsFor } from './settings-for.js';
import { type Engine, withEngine } from './with-engine.js';

/** Milliseconds a call in flight is given after Ctrl-C; then the log says that it was interrupted. */
const GRACE_MS = 1000;

/** The projections by which the engine decides: specialists, alignment, open sessions. */
const DECIDED_BY = ['specialists', 'alignment', 'sessions'] as const;

/**
 * Runs the engine for one command, for as long as its work takes. It drives no sessions, also with `REDIAL_DRIVE=on`. The
 * work begins once the rows have what the commands before it wrote.
 */
export function withCommandEngine<T>(
  dataDir: string | undefined,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const options = { shutdownGraceMs: GRACE_MS, readWaitMs: CATCH_UP_MS, drive: { enabled: false } };
  return withEngine({ ...options, ...(dataDir !== undefined && { dataDir }) }, err, async (engine) => {
    const head = await engine.log.store.head();
    await engine.reads.waitForOwnWrites(DECIDED_BY, head);
    return work(engine);
  });
}

/** An engine that answers queries only: it continues no run, drives no session, calls no model. @throws NoLog */
export async function withReadingEngine<T>(
  dataDir: string | undefined,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  assertLog(settingsFor(dataDir));
  const options = { readOnly: true, readWaitMs: CATCH_UP_MS, ...(dataDir !== undefined && { dataDir }) };
  return withEngine(options, err, work);
}

/** Like `withCommandEngine`, for commands that need an existing log. @throws NoLog */
export async function withEngineOnLog<T>(
  dataDir: string | undefined,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  assertLog(settingsFor(dataDir));
  return withCommandEngine(dataDir, err, work);
}
