import { setTimeout } from 'node:timers/promises';
import type { StandInLog } from './stand-in-log.js';

/** Takes as long as the server would to look through the events of others between two places of the wire. */
export async function scanForeign(
  log: StandInLog,
  one: bigint,
  other: bigint,
  signal: AbortSignal,
): Promise<void> {
  const count = log.places.foreignBetween(one, other);
  const ms = (count / log.scanSpeed) * 1000;
  if (ms > 0) await setTimeout(ms, undefined, { signal });
  log.foreignScanned += count;
}
