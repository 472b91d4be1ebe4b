import { InvalidInput } from './error-classes.js';

/** Of the system, when a file is made; an event store has others. */
const CALLS: ReadonlySet<string | undefined> = new Set([
  'access',
  'fsync',
  'mkdir',
  'open',
  'rename',
  'write',
]);

/** Does the work that writes a file. @throws InvalidInput if it cannot be written */
export async function writing(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (!CALLS.has(syscall)) throw error;
    throw new InvalidInput(
      file,
      `it cannot be written (${code})`,
      'Name a file in a folder that you may write',
    );
  }
}
