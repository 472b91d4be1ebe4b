import type { Patience } from '#lib/event-store';

export interface AttemptSettings {
  /** How long a call keeps trying, unless `withPatience` sets another time. */
  readonly patienceMs: number;
  /** The longest silence of the server within one attempt. */
  readonly attemptMs: number;
}

/** The last attempt of a call gets a moment, too: a server that is back answers within it. */
const LEAST_MS = 250;

/** How long the next attempt may stay unanswered. */
export function attemptMs(settings: AttemptSettings, patience: Patience): number {
  return Math.min(settings.attemptMs, Math.ceil(Math.max(patience.leftMs, LEAST_MS)));
}
