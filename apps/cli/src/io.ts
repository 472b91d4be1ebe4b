import { printableJson } from '#lib/kernel';
import { type Sink, type Style, styled } from './terminal.js';

export type { Sink, Style } from './terminal.js';

/** The streams of a command. `out` takes results alone, `err` takes errors and hints. */
export interface Io {
  readonly out: Sink;
  readonly err: Sink;
  /** The lines of input. Default: standard input. */
  readonly typed?: AsyncIterable<string>;
  /** Resolves when the process is asked to end: commands without an end wait for it. */
  untilStopped(this: void): Promise<unknown>;
}

/** Each text is one line: a line end in it would make a line that looks like another one's. */
export function printLines(sink: Sink, lines: readonly string[]): void {
  for (const line of lines) sink.write(`${line.replaceAll(/\r?\n/g, ' ')}\n`);
}

export function printJson({ out }: Io, value: unknown): void {
  out.write(`${printableJson(JSON.stringify(value ?? null))}\n`);
}

/** The one result of a command: a JSON document, or lines for people. */
export function printResult<Result>(
  io: Io,
  json: true | undefined,
  result: Result,
  lines: (result: Result, paint: Paint) => readonly string[],
): void {
  if (json) printJson(io, result);
  else printLines(io.out, lines(result, paintFor(io.out)));
}

/** Colours a text if the output is a terminal that shows colours. */
export type Paint = (style: Style, text: string) => string;

/** Colours on a terminal only, and never if NO_COLOR is set (https://no-color.org). */
export function paintFor({ isTTY }: Sink): Paint {
  const coloured = isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return (style, text) => (coloured ? styled(style, text) : text);
}
