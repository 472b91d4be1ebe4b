import type { ReadStore } from '../store/read-store.js';
import { readCheckpoints } from './checkpoints.js';
import type { Projection } from './projection.js';
import { ProjectionBehind } from './projection-behind.js';

const POLL_MS = 25;

/**
 * Resolves once these projections have all reached the position, whichever process brought it there. A timeout of 0 looks once.
 * @throws ProjectionBehind when that does not happen in time.
 */
export async function waitForPosition(
  store: ReadStore,
  projections: readonly Projection[],
  position: string,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = store.arrivals.count;
    const checkpoints = await readCheckpoints(store.db, projections);
    const behind = checkpoints.filter((checkpoint) => checkpoint.position < position);
    if (behind.length === 0) return;
    const left = deadline - performance.now();
    if (left <= 0) {
      throw new ProjectionBehind(
        behind.map(({ name }) => name),
        position,
        timeoutMs,
      );
    }
    await somethingNew(store, seen, Math.min(left, POLL_MS));
  }
}

/** This process says when it writes; other processes are looked for. */
async function somethingNew(store: ReadStore, seen: number, milliseconds: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), milliseconds);
  await store.arrivals.after(seen, waiting.signal);
  clearTimeout(timer);
}
