import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for everything that a spec file, the code under test and the processes that they start make in the folder for temporary
 * files: `TMPDIR` names it until it is removed. A killed process leaves nothing outside of it.
 * @returns removes it
 */
export function temporaryRoot() {
  const root = mkdtempSync(join(tmpdir(), 'redial-spec-'));
  // PostgreSQL runs as another user where the tests are root's.
  chmodSync(root, 0o755);
  process.env['TMPDIR'] = root;
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return () => {
    process.removeListener('exit', remove);
    remove();
  };
}
