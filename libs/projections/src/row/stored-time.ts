import { RedialError } from '#lib/kernel';

/** A time that cannot be read. */
class InvalidTime extends RedialError {}

/** Epoch milliseconds of an ISO 8601 time. @throws InvalidTime */
export function storedTime(iso: string): number {
  const time = Date.parse(iso);
  if (!Number.isNaN(time)) return time;
  throw new InvalidTime(
    `time ${JSON.stringify(iso)}`,
    'it is not ISO 8601',
    'Look for damage with `redial replay`',
  );
}

const DAY_MS = 86_400_000;

/** The start of the UTC day of a stored time. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** ISO 8601, UTC. */
export function timeFromStored(time: number): string {
  return new Date(time).toISOString();
}
