import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, removed by the runner of spec files when the file that runs has ended (`test/support/jest/temporary-root.mjs`). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'redial-'));
}

/** The same in memory, where the machine has room for it: for files that need not outlast the machine. */
export function folderInMemory(): string {
  return mkdtempSync(join(process.env['TMPDIR_IN_MEMORY'] ?? tmpdir(), 'redial-'));
}
