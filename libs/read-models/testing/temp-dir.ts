import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for one test, and how it goes away. */
export function tempDir(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'redial-projections-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
