import type { Clock } from '#lib/kernel';

/** A run that this process cannot drive on. */
export interface SetAsideRun {
  readonly stream: string;
  readonly failure: string;
  readonly attempts: number;
  /** ISO 8601, UTC: of the first attempt that failed. */
  readonly since: string;
}

interface Entry extends SetAsideRun {
  readonly retryAt: number;
}

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 3_600_000;

/** Runs that failed in this process: looked at again after a pause that doubles, or when an operator says so. */
export class SetAside {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly clock: Clock) {}

  get all(): readonly SetAsideRun[] {
    return [...this.#entries.values()].map(({ retryAt: _, ...entry }) => entry);
  }

  isResting(stream: string): boolean {
    return (this.#entries.get(stream)?.retryAt ?? 0) > this.clock.now().getTime();
  }

  add(stream: string, error: unknown): SetAsideRun {
    const now = this.clock.now();
    const { attempts: before, since } = this.#entries.get(stream) ?? {
      attempts: 0,
      since: now.toISOString(),
    };
    const pause = Math.min(FIRST_RETRY_MS * 2 ** before, LONGEST_RETRY_MS);
    const failure = error instanceof Error ? error.message : String(error);
    const entry = { stream, failure, attempts: before + 1, since, retryAt: now.getTime() + pause };
    this.#entries.set(stream, entry);
    return entry;
  }

  /** Lets it be looked at again at once; attempts count on. */
  release(stream: string): void {
    const entry = this.#entries.get(stream);
    if (entry) this.#entries.set(stream, { ...entry, retryAt: 0 });
  }

  remove(stream: string): void {
    this.#entries.delete(stream);
  }
}
