import { printable } from './printable.js';

/** Text from models and people on one line of a terminal. Control characters (also escape sequences) become blanks, and long text is cut. */
export function oneLine(text: string, longest = 100): string {
  const flat = printable(text, ' ').replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(flat);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : flat;
}

/** Any JSON value, as `oneLine`. */
export function jsonLine(value: unknown, longest?: number): string {
  return oneLine(JSON.stringify(value) ?? 'nothing', longest);
}

/** The parts that are not empty, with two blanks between them. */
export function spaced(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('  ');
}
