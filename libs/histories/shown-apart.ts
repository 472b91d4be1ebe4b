import type { Change } from './regress/changes.js';
import { jsonLine } from '#lib/kernel';

/** Characters shown before the first difference. */
const BEFORE = 24;

/** Two values on one line each: of long texts, the part around their first difference. */
export function shownApart(recorded: unknown, today: unknown): readonly [string, string] {
  if (typeof recorded !== 'string' || typeof today !== 'string') return [jsonLine(recorded), jsonLine(today)];
  let same = 0;
  while (same < recorded.length && recorded[same] === today[same]) same += 1;
  const from = same > BEFORE * 2 ? same - BEFORE : 0;
  const shown = (text: string) => `${from > 0 ? '…' : ''}${jsonLine(text.slice(from))}`;
  return [shown(recorded), shown(today)];
}

/** Both values of a change; a missing event is `undefined`. */
export function shownChange({ pointer = '', recorded, today }: Change): readonly [string, string] {
  const isEvent = pointer === '' || pointer === '/type';
  const shown = (value: unknown) => (isEvent ? (value ?? undefined) : value);
  return shownApart(shown(recorded), shown(today));
}
