import { ConsoleLogger, type LogLevel as NestLogLevel } from '@nestjs/common';
import type { Redactor } from '#lib/activities';
import type { LogLevel } from '#lib/engine/core';
import { printable } from '#lib/kernel';

/** Nest's own contexts that list the parts of the application at every start. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Nest's own contexts that report the error of a failed start. */
const SAID_AGAIN = new Set(['ExceptionHandler', 'NestApplication']);

const LEVELS: readonly NestLogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Logs to stderr: stdout has only the line with the address of the server. */
export class ServerLogger extends ConsoleLogger {
  /** @param secrets replaced by the engine's once there is one */
  constructor(
    level: LogLevel,
    public secrets: Redactor,
  ) {
    super({ logLevels: LEVELS.slice(0, LEVELS.indexOf(level) + 1) });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    const isNoise = FRAMEWORK.has(String(rest.at(-1)));
    if (isNoise) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  /** Nest reports an error that stops a start with its stack; the starting code reports it again, as one message. */
  override error(message: unknown, ...rest: unknown[]): void {
    if (SAID_AGAIN.has(String(rest.at(-1)))) this.debug(message, ...rest);
    else super.error(message, ...rest);
  }

  protected override printMessages(
    messages: unknown[],
    context?: string,
    logLevel?: NestLogLevel,
    _stream?: 'stdout' | 'stderr',
    ...rest: [errorStack?: unknown, params?: Record<string, unknown>]
  ): void {
    const shown = messages.map((message) => this.#shown(String(message)));
    super.printMessages(shown, context, logLevel, 'stderr', ...rest);
  }

  protected override printStackTrace(stack: string): void {
    super.printStackTrace(stack && this.#shown(stack));
  }

  /** Further lines are indented, so that none of them looks like a line of the log. */
  #shown(text: string): string {
    return printable(this.secrets.text(text)).replaceAll('\n', '\n    ');
  }
}
