import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  EngineSettings,
  openEventLog,
  openReadStore,
  optionsFrom,
  projectionRunner,
  readEnvironment,
  subjectKeys,
  type RedialOptions,
  withOptions,
} from '#lib/engine/core';
import { type EventLog, NoLog } from '#lib/event-store';
import type { ProjectionName, ProjectionRunner, ReadStore, Rows } from '#lib/read-models';
import { importedOptions } from '../input/imported-options.js';

// For commands that read the log and its rows: no engine runs, so reading starts no recovery and calls no model.

/** Milliseconds in which the rows must reach the head of the log. */
export const CATCH_UP_MS = 60_000;

/** `--data-dir` overrides the environment. @throws InvalidSetting */
export function settingsFor(dataDir: string | undefined): EngineSettings {
  return new EngineSettings(optionsWith(dataDir === undefined ? {} : { dataDir }));
}

/**
 * `options` override those of `--import`, which override those of the environment. Without the token, which guards doors: a command has none.
 * @throws InvalidSetting
 */
export function optionsWith(options: RedialOptions): RedialOptions {
  const { apiToken: _, ...base } = optionsFrom(readEnvironment(process.env), process.env);
  return withOptions(withOptions(base, importedOptions() ?? {}), options);
}

/** Whether there may be a log: not if its file is missing. */
export function mayHaveLog({ eventStoreDbUrl, logFile }: EngineSettings): boolean {
  return eventStoreDbUrl !== undefined || existsSync(logFile);
}

/** Only commands that begin a stream make files. @throws NoLog if the file of the log is missing */
export function assertLog(settings: EngineSettings): void {
  if (mayHaveLog(settings)) return;
  const { logFile } = settings;
  const fix = process.env['REDIAL_URL']
    ? 'Name the folder with --data-dir: this command reads a log itself, and does not ask the server of REDIAL_URL'
    : 'Name the folder with --data-dir, or make a log with redial run or redial serve';
  throw new NoLog(`no log in ${dirname(logFile)}`, 'it has no log.sqlite', fix);
}

/** Opens the log to read it; other processes may write to it at the same time. @throws NoLog */
export async function withLog<T>(settings: EngineSettings, work: (log: EventLog) => Promise<T>): Promise<T> {
  assertLog(settings);
  const log = await openEventLog(settings, undefined, true);
  subjectKeys(log, settings);
  try {
    return await work(log);
  } finally {
    await log.store.close();
  }
}

export interface ReadModels {
  readonly log: EventLog;
  readonly db: ReadStore['db'];
  readonly projections: ProjectionRunner;
}

/** Folds new events into the rows while the work runs, alone or beside a server. The log is only read. @throws NoLog */
export function withReadModels<T>(
  settings: EngineSettings,
  work: (models: ReadModels) => Promise<T>,
): Promise<T> {
  return withLog(settings, (log) => withRowsOf(log, settings, work));
}

/** As `withReadModels`, with the rows of this log. */
export async function withRowsOf<T>(
  log: EventLog,
  settings: EngineSettings,
  work: (models: ReadModels) => Promise<T>,
): Promise<T> {
  const store = await openReadStore(settings);
  try {
    const projections = await projectionRunner(log, store, settings);
    try {
      await projections.start();
      return await work({ log, db: store.db, projections });
    } finally {
      await projections.stop();
    }
  } finally {
    await store.close();
  }
}

/** Answers a query from rows that have reached the head of the log. @throws NoLog | ProjectionBehind */
export function askRows<Name extends ProjectionName, Answer>(
  dataDir: string | undefined,
  names: readonly Name[],
  question: (db: Rows<Name>) => Promise<Answer>,
): Promise<Answer> {
  return withReadModels(settingsFor(dataDir), async ({ projections, db }) => {
    await projections.caughtUpWithHead(CATCH_UP_MS, names);
    return question(db);
  });
}
