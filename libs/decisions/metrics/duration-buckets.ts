/** Upper bounds of the durations of calls, in milliseconds. */
export const DURATION_BUCKETS_MS = [250, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000];

/** The bucket of calls that took longer. */
const BEYOND = 2 ** 31 - 1;

/** The bucket of calls without a measured duration. */
export const NOT_MEASURED = -1;

/** The smallest bound at or above a duration. */
export function bucketOf(durationMs: number | undefined): number {
  if (durationMs === undefined) return NOT_MEASURED;
  return DURATION_BUCKETS_MS.find((bound) => durationMs <= bound) ?? BEYOND;
}
