import type { ChangeSignal } from '#lib/event-store';
import { RedialError, withoutClass } from '#lib/kernel';
import type { ReadStore } from '../store/read-store.js';
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
        : 'Ask again; if that does not help, look at the status of the projections',
    );
  }
}

/** The interval at which stored places are read while this process has not reached the position. */
export const POLL_MS = 25;

/** A model that has not reached the position, with the refusal of the event that stops it, if one does. */
interface Behind {
  readonly name: string;
  readonly refusal?: ProjectionFailure | undefined;
}

/** Rows that are waited for. */
interface Awaited {
  /** Whether this process has reached the position: then `behind` is worth a call before the next poll. */
  isNear(): boolean;
  /** The models that are behind, by their stored positions. */
  behind(): Promise<readonly Behind[]>;
}

/**
 * Resolves once no model is behind the position, by the work of this process or another one. A timeout of 0 looks once.
 * @throws ProjectionBehind after the timeout, or if an event before the position is refused and no process is past it.
 */
export async function waitUntilReached(
  { arrivals }: Pick<ReadStore, 'arrivals'>,
  awaited: Awaited,
  position: string,
  timeoutMs: number,
): Promise<void> {
  const begin = performance.now();
  for (let nextLook = 0; ;) {
    const seen = arrivals.count;
    // A closed store throws at once.
    if (performance.now() >= nextLook || awaited.isNear() || arrivals.ended) {
      const behind = await awaited.behind();
      if (behind.length === 0) return;
      const refusal = behind.find((one) => one.refusal)?.refusal;
      const waited = performance.now() - begin;
      if (refusal || waited >= timeoutMs) {
        const names = behind.map(({ name }) => name);
        throw new ProjectionBehind(names, position, Math.min(waited, timeoutMs), refusal);
      }
      nextLook = performance.now() + POLL_MS;
    }
    const left = begin + timeoutMs - performance.now();
    // This process announces its own writes; the writes of other processes are polled.
    await somethingNew(arrivals, seen, Math.max(1, Math.min(left, POLL_MS)));
  }
}

/** The refusal counts if its event is after `reached` and not after the position. */
export function behindAt(
  name: string,
  reached: string,
  position: string,
  refusal: ProjectionFailure | undefined,
): Behind {
  const refusedAt = refusal?.position ?? '';
  return { name, ...(reached < refusedAt && refusedAt <= position && { refusal }) };
}

/** Resolves at the first announcement after `seen`, or after some milliseconds. */
export async function somethingNew(
  arrivals: Pick<ChangeSignal, 'after'>,
  seen: number,
  milliseconds: number,
): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), milliseconds);
  await arrivals.after(seen, waiting.signal);
  clearTimeout(timer);
}
