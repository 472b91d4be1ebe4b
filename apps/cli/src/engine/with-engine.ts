import { oneLine } from '#lib/kernel';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import { Access, ReadSide } from '#lib/operations/core';
import { RunDeltas } from '#lib/runs/runs/core';
import { WorkflowRuntime } from '#lib/workflow';
import type { Sink } from '../io.js';
import { type HistoryRoot, withFolderForRows } from './with-history.js';
import { assertLog, CATCH_UP_MS, optionsWith, settingsFor, withLog } from './with-log.js';

/**
 * Nest's logger for a command: only errors, without stack traces, and never among the results. An error that ends the start, or sets aside a
 * run that is awaited, is also thrown, and reported where it is caught.
 * @param awaited streams of runs
 */
function loggerTo(err: Sink, awaited: ReadonlySet<string>): LoggerService {
  const isThrown = (line: string, context: unknown) =>
    context === 'ExceptionHandler' ||
    // Warnings of a definition: the command prints them itself.
    context === 'Machines' ||
    [...awaited].some((stream) => line.startsWith(`${stream} is set aside: `));
  const say = (message: unknown, ...rest: readonly unknown[]) => {
    const line = String(message);
    if (!isThrown(line, rest.at(-1))) err.write(`${oneLine(line, 500)}\n`);
  };
  const silent = () => undefined;
  return { log: silent, debug: silent, verbose: silent, warn: say, error: say, fatal: say };
}

/** A running engine that may write. */
export interface Engine {
  readonly redial: Redial;
  /** Waits for the rows. */
  readonly reads: ReadSide;
  readonly log: EventLog;
  /** Receives the deltas of calls that this process makes. */
  readonly deltas: RunDeltas;
  /** Drives the runs. */
  readonly runtime: WorkflowRuntime;
  /** The streams of runs that the command awaits: their errors are thrown to it, and not logged too. */
  readonly awaited: Set<string>;
  /** Access control, for doors that are open to others. */
  readonly access: Access;
}

/**
 * Runs a whole engine in this process until the work has ended; a signal stops it in order.
 * @param options override those of the environment
 */
export function withEngine<T>(
  options: RedialOptions,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  return withEngineOf(optionsWith(options), err, work);
}

async function withEngineOf<T>(
  options: RedialOptions,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const awaited = new Set<string>();
  const app = await NestFactory.createApplicationContext(RedialModule.forRoot(options), {
    logger: loggerTo(err, awaited),
    abortOnError: false,
  });
  app.enableShutdownHooks(['SIGINT', 'SIGTERM', 'SIGHUP']);
  try {
    return await work({
      redial: app.get(Redial),
      reads: app.get(ReadSide),
      log: app.get(EventLog),
      deltas: app.get(RunDeltas),
      runtime: app.get(WorkflowRuntime),
      awaited,
      access: app.get(Access),
    });
  } finally {
    await app.close();
  }
}

/** Milliseconds that a call in flight has after Ctrl-C; then it is recorded as interrupted. */
const GRACE_MS = 1000;

/** The projections by which the engine decides: specialists, alignment, open sessions. */
const DECIDED_BY = ['specialists', 'alignment', 'sessions'] as const;

/** Runs work with an engine, of the given data folder or of that of the environment. */
export type RunEngine = <T>(
  dataDir: string | undefined,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
) => Promise<T>;

/**
 * Runs the engine for one command, until its work has ended. It drives no sessions, also with `REDIAL_DRIVE=on`. The work begins once the
 * rows have the events of earlier commands.
 */
export const withCommandEngine: RunEngine = (dataDir, err, work) => {
  const options = { shutdownGraceMs: GRACE_MS, readWaitMs: CATCH_UP_MS, drive: { enabled: false } };
  return withEngine({ ...options, ...(dataDir !== undefined && { dataDir }) }, err, async (engine) => {
    const head = await engine.log.store.head();
    await engine.reads.waitForOwnWrites(DECIDED_BY, head);
    return work(engine);
  });
};

/** Like `withCommandEngine`, for commands that need an existing log. @throws NoLog */
export const withEngineOnLog: RunEngine = async (dataDir, err, work) => {
  assertLog(settingsFor(dataDir));
  return withCommandEngine(dataDir, err, work);
};

/** An engine that answers queries about a history file. @throws NoHistory @throws HistoryBroken @throws InvalidInput for a redacted file */
export function withEngineOnHistory<T>(
  file: string,
  err: Sink,
  work: (engine: Engine, root: HistoryRoot) => Promise<T>,
): Promise<T> {
  return withFolderForRows(file, (options, root) =>
    withEngineOf({ ...options, readWaitMs: CATCH_UP_MS }, err, (engine) => work(engine, root)),
  );
}

/** An engine that answers queries only: it continues no run, drives no session, calls no model. @throws NoLog */
export const withReadingEngine: RunEngine = async (dataDir, err, work) => {
  // Checked before the engine makes a file beside the log.
  await withLog(settingsFor(dataDir), () => Promise.resolve());
  const options = { readOnly: true, readWaitMs: CATCH_UP_MS, ...(dataDir !== undefined && { dataDir }) };
  return withEngine(options, err, work);
};
