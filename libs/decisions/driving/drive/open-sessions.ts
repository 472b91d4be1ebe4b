import type { ReadSide } from '#lib/operations/core';
import { type ReadStore, sessionsWithStatus } from '#lib/read-models';

/** The most sessions in a list: memory is bounded, however many are open. */
const MOST = 10_000;

/** Finds the sessions that can continue, least recently changed first. */
export class OpenSessions {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /** Sessions that are not at rest, with those that wait for a person; 10,000 at most. */
  async all(): Promise<readonly string[]> {
    await this.reads.waitForOwnWrites(['sessions']);
    return sessionsWithStatus(this.store.db, ['open', 'needs_human'], MOST);
  }

  /** Sessions that can continue without a person, by the present rows. */
  drivable(limit: number): Promise<readonly string[]> {
    return sessionsWithStatus(this.store.db, ['open'], limit);
  }

  /** Sessions that wait for a person. They may continue without one: a specialist may have been registered, enabled or trusted since. */
  waiting(limit: number): Promise<readonly string[]> {
    return sessionsWithStatus(this.store.db, ['needs_human'], limit);
  }
}
