import type { LoggerService } from '@nestjs/common';
import { oneLine } from '../format/one-line.js';
import type { Sink } from '../io.js';

/** An error that ends the start is also thrown, and reported by the catcher. */
const THROWN = 'ExceptionHandler';

/** Nest's logger for a command: only what went wrong, without stack traces, and never among the results. */
export function loggerTo(err: Sink): LoggerService {
  const say = (message: unknown, ...rest: readonly unknown[]) => {
    if (rest.at(-1) !== THROWN) err.write(`${oneLine(String(message), 500)}\n`);
  };
  const silent = () => undefined;
  return { log: silent, debug: silent, verbose: silent, warn: say, error: say, fatal: say };
}
