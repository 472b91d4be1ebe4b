import type { TimelineEvent } from './rounds.js';

/** Time between two events in which no call was open; from this length on it is one row. */
export const IDLE_MS = 30_000;

/** A part of the active time of a round, in percent. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  /** Absent for an event that took no time. */
  readonly ms?: number;
}

/** Milliseconds of idle time before an event; `undefined` if they are too few for a row. */
export type Gap = number | undefined;

/** Bars on a scale without idle time, and the idle time before each event. */
export function activeTimes(events: readonly Pick<TimelineEvent, 'occurredAt' | 'data'>[]): {
  readonly bars: readonly Bar[];
  readonly gaps: readonly Gap[];
} {
  const spans = events.map(({ occurredAt, data }) => {
    const end = Date.parse(occurredAt);
    return { start: end - (data.durationMs ?? 0), end, ms: data.durationMs };
  });
  let busyUntil = spans[0]?.start ?? 0;
  let cut = 0;
  const gaps: Gap[] = [];
  const placed = spans.map(({ start, end, ms }) => {
    const idle = start - busyUntil;
    gaps.push(idle >= IDLE_MS ? idle : undefined);
    if (idle >= IDLE_MS) cut += idle;
    busyUntil = Math.max(busyUntil, end);
    return { start: start - cut, end: end - cut, ms };
  });
  const begin = placed[0]?.start ?? 0;
  const length = Math.max(1, ...placed.map(({ end }) => end - begin));
  const share = (time: number) => Math.min(100, Math.max(0, (100 * time) / length));
  const bars = placed.map(({ start, end, ms }) => ({
    left: share(start - begin),
    width: ms === undefined ? 0 : share(end - start),
    ...(ms !== undefined && { ms }),
  }));
  return { bars, gaps };
}
