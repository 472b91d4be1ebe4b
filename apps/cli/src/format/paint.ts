import { styleText } from 'node:util';
import type { Sink } from '../io.js';

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** Colours a text where the output is a terminal that shows colours. */
export type Paint = (style: Style, text: string) => string;

/** Colours on a terminal only, and never where NO_COLOR is set (https://no-color.org). */
export function paintFor({ isTTY }: Sink): Paint {
  const coloured = isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return (style, text) => (coloured ? styleText(style, text) : text);
}
