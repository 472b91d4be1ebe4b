import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of this process that is removed when the process ends, also when a person stops it. */
export class TemporaryFolder {
  readonly #path = mkdtempSync(join(tmpdir(), 'redial-bench-'));

  constructor() {
    process.once('exit', () => rmSync(this.#path, { recursive: true, force: true }));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  }

  /** An empty folder in it. */
  add(name: string): string {
    const path = join(this.#path, name);
    mkdirSync(path);
    return path;
  }
}
