import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { printable } from '#lib/kernel';

/** A sink of text. */
export interface Sink {
  /** False: its buffer is full. */
  write(text: string): unknown;
  /** Resolves once the buffer has room, or the sink has ended. */
  drained?(): Promise<void>;
  /** A terminal: may be coloured, and written over. */
  readonly isTTY?: boolean;
}

const STYLES = ['bold', 'dim', 'green', 'red', 'yellow', 'cyan'] as const;
export type Style = (typeof STYLES)[number];

/** Stands for a control sequence of this file in a text until it is written. No text from outside can contain it. */
const KEY = `\0${randomBytes(9).toString('base64url')}:`;
const MARKS = new RegExp(`${KEY.replaceAll('-', '\\-')}(\\w+);`, 'g');
const mark = (name: string): string => `${KEY}${name};`;

/** Moves to the beginning of the line and clears it. */
export const CLEAR_LINE = mark('clear');

export function styled(style: Style, text: string): string {
  return `${mark(style)}${text}${mark(`end_${style}`)}`;
}

const SEQUENCES: ReadonlyMap<string, string> = new Map([
  ['clear', '\r\u001B[2K'],
  ...STYLES.flatMap((style) => {
    const [begin, end] = inspect.colors[style] ?? [0, 0];
    return [[style, `\u001B[${begin}m`] as const, [`end_${style}`, `\u001B[${end}m`] as const];
  }),
]);

/** The only way of a command to a stream: texts cannot control the terminal, only the sequences of this file can. */
export function terminal(sink: Sink): Sink {
  const drained = 'once' in sink ? { drained: () => drainOf(sink as NodeJS.WritableStream) } : {};
  return { isTTY: sink.isTTY === true, write: (text) => sink.write(shown(text)), ...drained };
}

function drainOf(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'close', 'error']) stream.once(event, () => resolve());
  });
}

function shown(text: string): string {
  // Every second part is the name of a sequence.
  return text
    .split(MARKS)
    .map((part, at) => (at % 2 === 0 ? printable(part) : (SEQUENCES.get(part) ?? '')))
    .join('');
}
