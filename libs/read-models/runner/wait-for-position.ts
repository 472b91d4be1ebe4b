import { RedialError, withoutClass } from '#lib/kernel';
import type { ReadStore } from '../store/read-store.js';
import { readCheckpoints } from './checkpoints.js';
import type { ProjectionLoop } from './projection-loop.js';
import type { ProjectionFailure } from './projection-status.js';

/** A projection did not reach a position in time. */
export class ProjectionBehind extends RedialError {
  override readonly answer = { status: 503, code: 'projection-behind' };

  constructor(
    readonly projections: readonly string[],
    readonly position: string,
    waitedMs: number,
    refusal?: ProjectionFailure,
  ) {
    super(
      `position ${position}`,
      `within ${Math.round(waitedMs)} ms it was not reached by ${projections.join(', ')}`,
      refusal
        ? `The ${withoutClass(refusal.message)}`
        : 'Ask again; if it stays so, look at the status of the projections',
    );
  }
}

/** How often the stored checkpoints are read while this process has not reached the position. */
const POLL_MS = 25;

type Awaited = Pick<ProjectionLoop, 'projection' | 'progress' | 'refusal'>;

/** A projection that has not reached the position, and why it will not, if an event holds it up. */
interface Behind {
  readonly name: string;
  readonly refusal?: ProjectionFailure | undefined;
}

/**
 * Resolves once these projections have all reached the position, in this process or in another one. A timeout of 0 looks once.
 * @throws ProjectionBehind when that does not happen in time, or an event before the position is refused and no process has passed it.
 */
export async function waitForPosition(
  store: ReadStore,
  awaited: readonly Awaited[],
  position: string,
  timeoutMs: number,
): Promise<void> {
  const begin = performance.now();
  for (let nextLook = 0; ;) {
    const seen = store.arrivals.count;
    if (performance.now() >= nextLook || awaited.every(({ progress }) => progress.reached >= position)) {
      const behind = await behindInStore(store, awaited, position);
      if (behind.length === 0) return;
      const refusal = behind.find((one) => one.refusal)?.refusal;
      const waited = performance.now() - begin;
      if (refusal || waited >= timeoutMs) {
        const names = behind.map(({ name }) => name);
        throw new ProjectionBehind(names, position, Math.min(waited, timeoutMs), refusal);
      }
      nextLook = performance.now() + POLL_MS;
    }
    await somethingNew(store, seen, Math.max(1, Math.min(begin + timeoutMs - performance.now(), POLL_MS)));
  }
}

async function behindInStore(
  store: ReadStore,
  awaited: readonly Awaited[],
  position: string,
): Promise<readonly Behind[]> {
  const checkpoints = await readCheckpoints(
    store.db,
    awaited.map(({ projection }) => projection),
  );
  return awaited.flatMap(({ projection: { name }, progress, refusal }, index) => {
    const reached = progress.reachedWith(checkpoints[index]?.position ?? '');
    if (reached >= position) return [];
    const refusedAt = refusal?.position ?? '';
    return [{ name, ...(reached < refusedAt && refusedAt <= position && { refusal }) }];
  });
}

/** This process announces its own writes; the writes of other processes are polled. */
async function somethingNew(store: ReadStore, seen: number, milliseconds: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), milliseconds);
  await store.arrivals.after(seen, waiting.signal);
  clearTimeout(timer);
}
