import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, removed by the runner of spec files when the file that runs has ended (`test/support/jest/temporary-root.mjs`). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'redial-'));
}
