import { LONGEST_MS } from '../time-limit.js';

/** Nothing came for longer than a part of a reply may take. */
export class TooSilent extends Error {
  override readonly name = 'TooSilent';
}

/** Calls back with an error once nothing has come for `limitMs`. Nothing where there is no limit. */
export function silenceLimit(limitMs: number | undefined, onSilence: (error: TooSilent) => void) {
  if (limitMs === undefined) return undefined;
  const error = new TooSilent(`Nothing came for ${limitMs} ms.`);
  const timer = setTimeout(() => onSilence(error), Math.min(limitMs, LONGEST_MS));
  return { restart: () => void timer.refresh(), end: () => clearTimeout(timer) };
}
