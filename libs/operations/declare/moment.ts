const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
const DAY = 'YYYY-MM-DD';
const REVISION = /^\d{1,15}$/;
const POSITION = 'position:';

/** A moment of a stream, as callers state it. */
export type StatedMoment =
  | { readonly revision: number }
  /** Epoch milliseconds. */
  | { readonly timeMs: number }
  /** Not checked here: it may be of another log. */
  | { readonly position: string };

/** @returns `undefined` for a text that states no moment */
export function statedMoment(text: string): StatedMoment | undefined {
  if (REVISION.test(text)) return { revision: Number(text) };
  if (text.startsWith(POSITION)) return { position: text.slice(POSITION.length) };
  return isTime(text) ? { timeMs: Date.parse(text) } : undefined;
}

/** The message for a member that `isTime` refuses. */
export const NO_TIME = 'must be an ISO 8601 time, like 2026-01-31T12:00:00Z';

/** Whether this is a time in ISO 8601, as the contract writes times, on a day that exists. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !ISO_TIME.test(value) || Number.isNaN(Date.parse(value))) return false;
  const day = value.slice(0, DAY.length);
  // 30 February is read as 2 March.
  return new Date(day).toISOString().startsWith(day);
}
