import type { ReadSide } from '#lib/operations/core';
import { type ReadStore, sessionsWithStatus } from '#lib/read-models';

/** How many sessions are listed at most: memory stays bounded, however many are open. */
const MOST = 10_000;

/** Finds the sessions that can continue, those first that changed the longest time ago. */
export class OpenSessions {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /** Sessions that are not at rest, also those that wait for a person; 10,000 at most. */
  async all(): Promise<readonly string[]> {
    await this.reads.waitForOwnWrites(['sessions']);
    return sessionsWithStatus(this.store.db, ['open', 'needs_human'], MOST);
  }

  /** Sessions that can go on without a person, by the rows as they are. */
  drivable(limit: number): Promise<readonly string[]> {
    return sessionsWithStatus(this.store.db, ['open'], limit);
  }

  /** Sessions that wait for a person. They may go on without one: a specialist may have been registered, enabled or trusted since. */
  waiting(limit: number): Promise<readonly string[]> {
    return sessionsWithStatus(this.store.db, ['needs_human'], limit);
  }
}
