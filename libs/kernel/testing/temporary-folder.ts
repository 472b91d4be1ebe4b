import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder. The runner of spec files removes it when the current file has ended (`test/support/jest/temporary-root.mjs`). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'redial-'));
}

/** An empty folder in memory, if the machine has room for it: for files that need not outlast the machine. */
export function folderInMemory(): string {
  return mkdtempSync(join(process.env['TMPDIR_IN_MEMORY'] ?? tmpdir(), 'redial-'));
}
