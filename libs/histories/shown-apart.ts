import type { Change } from './regress/changes.js';
import { jsonLine } from '#lib/kernel';

/** So much is shown of two texts before the place where they begin to differ. */
const BEFORE = 24;

/** Two values on one line each: of long texts the part where they begin to differ. */
export function shownApart(recorded: unknown, today: unknown): readonly [string, string] {
  if (typeof recorded !== 'string' || typeof today !== 'string') return [jsonLine(recorded), jsonLine(today)];
  let same = 0;
  while (same < recorded.length && recorded[same] === today[same]) same += 1;
  const from = same > BEFORE * 2 ? same - BEFORE : 0;
  const shown = (text: string) => `${from > 0 ? '…' : ''}${jsonLine(text.slice(from))}`;
  return [shown(recorded), shown(today)];
}

/** Both values of a change; a whole event that is not there is nothing. */
export function shownChange({ pointer = '', recorded, today }: Change): readonly [string, string] {
  const isEvent = pointer === '' || pointer === '/type';
  const shown = (value: unknown) => (isEvent ? (value ?? undefined) : value);
  return shownApart(shown(recorded), shown(today));
}
