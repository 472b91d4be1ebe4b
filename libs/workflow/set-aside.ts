import { type Clock, thrownText } from '#lib/kernel';
import { MissingRules } from './missing-rules.js';

/** A run or a session that this process cannot continue. */
export interface Failing {
  readonly name: string;
  readonly failure: string;
  readonly attempts: number;
  /** The time of the first failed attempt: ISO 8601, UTC. */
  readonly since: string;
  /** The rules that this process lacks. If present, only an operator can ask for another attempt. */
  readonly needs?: string;
}

/** The pause after the first failed attempt, and the longest pause, in milliseconds. */
interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

const OF_RUNS: Pauses = { firstMs: 5_000, longestMs: 3_600_000 };

interface Entry extends Failing {
  readonly retryAt: number;
}

/** The work that failed in this process, by name. It is tried again after a pause that doubles, or when an operator asks for it. */
export class SetAside {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly pauses: Pauses = OF_RUNS,
  ) {}

  get all(): readonly Failing[] {
    return [...this.#entries.values()].map(({ retryAt: _, ...entry }) => entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  isResting(name: string): boolean {
    return (this.#entries.get(name)?.retryAt ?? 0) > this.clock.now().getTime();
  }

  needs(name: string): string | undefined {
    return this.#entries.get(name)?.needs;
  }

  add(name: string, error: unknown): Failing {
    const now = this.clock.now();
    const { firstMs, longestMs } = this.pauses;
    const { attempts: before, since } = this.#entries.get(name) ?? { attempts: 0, since: now.toISOString() };
    const pause = Math.min(firstMs * 2 ** before, longestMs);
    const failure = thrownText(error);
    const needs = error instanceof MissingRules && { needs: error.needs };
    const entry = { name, failure, attempts: before + 1, since, retryAt: now.getTime() + pause, ...needs };
    this.#entries.set(name, entry);
    return entry;
  }

  /** Allows an attempt at once. The count of attempts goes on. */
  release(name: string): void {
    const { needs: _, ...entry } = this.#entries.get(name) ?? {};
    if ('name' in entry) this.#entries.set(name, { ...entry, retryAt: 0 });
  }

  remove(name: string): void {
    this.#entries.delete(name);
  }
}
