import { RedialError } from '#lib/kernel';
import type { ReadStore } from '../store/read-store.js';
import { readCheckpoints } from './checkpoints.js';
import type { Progress } from './progress.js';

/** A projection did not reach a position in time. */
export class ProjectionBehind extends RedialError {
  override readonly answer = { status: 503, code: 'projection-behind' };

  constructor(
    readonly projections: readonly string[],
    readonly position: string,
    timeoutMs: number,
  ) {
    super(
      `position ${position}`,
      `within ${timeoutMs} ms it was not reached by ${projections.join(', ')}`,
      'Ask again; if it stays so, look at the status of the projections',
    );
  }
}

/** How often the stored checkpoints are read while this process has not reached the position. */
const POLL_MS = 25;

/**
 * Resolves once these projections have all reached the position, in this process or in another one. A timeout of 0 looks once.
 * @throws ProjectionBehind when that does not happen in time.
 */
export async function waitForPosition(
  store: ReadStore,
  awaited: readonly Progress[],
  position: string,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let nextLook = 0; ;) {
    const seen = store.arrivals.count;
    let behind = awaited.filter(({ reached }) => reached < position);
    if (behind.length === 0 || performance.now() >= nextLook) {
      behind = await behindInStore(store, awaited, position);
      nextLook = performance.now() + POLL_MS;
    }
    if (behind.length === 0) return;
    const left = deadline - performance.now();
    if (left <= 0) {
      const names = behind.map(({ projection }) => projection.name);
      throw new ProjectionBehind(names, position, timeoutMs);
    }
    await somethingNew(store, seen, Math.min(left, POLL_MS));
  }
}

async function behindInStore(store: ReadStore, awaited: readonly Progress[], position: string) {
  const checkpoints = await readCheckpoints(
    store.db,
    awaited.map(({ projection }) => projection),
  );
  return awaited.filter((one, index) => one.reachedWith(checkpoints[index]?.position ?? '') < position);
}

/** This process announces its own writes; the writes of other processes are polled. */
async function somethingNew(store: ReadStore, seen: number, milliseconds: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), milliseconds);
  await store.arrivals.after(seen, waiting.signal);
  clearTimeout(timer);
}
