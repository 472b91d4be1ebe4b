import { RevisionConflict } from './errors.js';
import type { AppendResult, StreamAppend } from './event-store.js';

/** `appendInOrder` for a store that makes the appends one after the other. @throws RevisionConflict with the results of the appends before it */
export async function appendOneByOne(
  appends: readonly StreamAppend[],
  append: (one: StreamAppend) => Promise<AppendResult>,
): Promise<readonly AppendResult[]> {
  const written: AppendResult[] = [];
  for (const one of appends) {
    try {
      written.push(await append(one));
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new RevisionConflict(one.stream, one.expected, error.actual, written);
    }
  }
  return written;
}
