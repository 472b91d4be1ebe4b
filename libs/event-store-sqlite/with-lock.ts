import { setTimeout } from 'node:timers/promises';

const RETRY_MS = 10;
const LONGEST_WAIT_MS = 5000;

/**
 * Runs work that needs a file's lock. While another process holds the lock, it tries again for up to five seconds. This waiting leaves the thread
 * free, which SQLite's own waiting would not, and SQLite does not wait at all while it switches the journal.
 */
export async function withLock<T>(run: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const busy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
      if (!busy || performance.now() > deadline) throw error;
    }
    await setTimeout(RETRY_MS);
  }
}
