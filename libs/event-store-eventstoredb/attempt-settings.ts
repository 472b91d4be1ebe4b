import type { Patience } from '#lib/event-store';

export interface AttemptSettings {
  /** The time for which a call keeps trying, unless `withPatience` sets another time. */
  readonly patienceMs: number;
  /** The longest silence of the server within one attempt. */
  readonly attemptMs: number;
}

/** The least time of the last attempt of a call: a server that is back answers within it. */
const LEAST_MS = 250;

/** The longest silence that the next attempt allows. */
export function attemptMs(settings: AttemptSettings, patience: Patience): number {
  return Math.min(settings.attemptMs, Math.ceil(Math.max(patience.leftMs, LEAST_MS)));
}
