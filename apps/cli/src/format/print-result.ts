import { type Io, printLines } from '../io.js';
import { type Paint, paintFor } from './paint.js';

/** The one result of a command: a JSON document, or lines for people. */
export function printResult<Result>(
  { out }: Io,
  json: true | undefined,
  result: Result,
  lines: (result: Result, paint: Paint) => readonly string[],
): void {
  if (json) out.write(`${JSON.stringify(result)}\n`);
  else printLines(out, lines(result, paintFor(out)));
}
