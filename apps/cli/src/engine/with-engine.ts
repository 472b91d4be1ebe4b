import { NestFactory } from '@nestjs/core';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import { Access, ReadSide } from '#lib/operations';
import { RunDeltas } from '#lib/runs';
import { WorkflowRuntime } from '#lib/workflow';
import type { Sink } from '../io.js';
import { optionsWith } from './settings-for.js';
import type { LoggerService } from '@nestjs/common';
import { oneLine } from '../format/one-line.js';

/** An error that ends the start is also thrown, and reported by the catcher. */
const THROWN = 'ExceptionHandler';

/** Nest's logger for a command: only what went wrong, without stack traces, and never among the results. */
function loggerTo(err: Sink): LoggerService {
  const say = (message: unknown, ...rest: readonly unknown[]) => {
    if (rest.at(-1) !== THROWN) err.write(`${oneLine(String(message), 500)}\n`);
  };
  const silent = () => undefined;
  return { log: silent, debug: silent, verbose: silent, warn: say, error: say, fatal: say };
}

/** A running engine: it may write. */
export interface Engine {
  readonly redial: Redial;
  /** How far its rows are. */
  readonly reads: ReadSide;
  readonly log: EventLog;
  /** Receives the deltas of calls that this process makes. */
  readonly deltas: RunDeltas;
  /** Drives the runs. */
  readonly runtime: WorkflowRuntime;
  /** Access control, for doors that are open to others. */
  readonly access: Access;
}

/**
 * Runs the whole engine in this process for as long as the work takes; a signal stops it in order.
 * @param options above those of the environment
 */
export async function withEngine<T>(
  options: RedialOptions,
  err: Sink,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(RedialModule.forRoot(optionsWith(options)), {
    logger: loggerTo(err),
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
      access: app.get(Access),
    });
  } finally {
    await app.close();
  }
}
