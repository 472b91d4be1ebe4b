import { setTimeout as wait } from 'node:timers/promises';

/** False when the signal came first: nothing is to be sent then. */
export async function waitBeforeCall(delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
