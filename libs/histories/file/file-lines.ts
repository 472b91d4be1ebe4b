import { HistoryBroken } from './history-broken.js';
import { LONGEST_LINE, MOST_LINES } from './history-lines.js';

/** A line of a file, without its end. */
export interface FileLine {
  /** The number of the line, from 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** The offset of its first byte. */
  readonly offset: number;
}

const LINE_END = 0x0a;

/**
 * The lines of a file, each yielded before the next is read: memory holds one line and one chunk.
 * @throws HistoryBroken for a line that is too long or has no end, and for too many lines
 */
export async function* fileLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let rest: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let offset = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      const bytes = joined([...rest, chunk.subarray(from, at)], number);
      yield { number, bytes, offset };
      offset += bytes.length + 1;
      [rest, length, from] = [[], 0, at + 1];
      if (++number > MOST_LINES) throw new HistoryBroken(number, `it has more than ${MOST_LINES} lines`);
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST_LINE) throw tooLong(number);
  }
  if (length > 0) throw new HistoryBroken(number, 'the line has no end: the file was cut off');
}

function joined(parts: readonly Uint8Array[], number: number): Uint8Array {
  const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  if (bytes.length > LONGEST_LINE) throw tooLong(number);
  return bytes;
}

function tooLong(number: number): HistoryBroken {
  return new HistoryBroken(number, `the line is longer than ${LONGEST_LINE} bytes`);
}
