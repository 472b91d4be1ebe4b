import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place, Places } from './place.js';

/** Temporary folders, for an engine with nothing installed. */
export class EmbeddedPlaces implements Places {
  readonly #folders: string[] = [];

  async emptyPlace(): Promise<Place> {
    const dataDir = await mkdtemp(join(tmpdir(), 'redial-'));
    this.#folders.push(dataDir);
    return { dataDir };
  }

  async stop(): Promise<void> {
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}
