import { temporaryFolder } from '#lib/kernel/testing';
import { inMemory, type Places } from './place.js';

/** For an engine with nothing installed: memory, and temporary folders for what lasts. */
export const embeddedPlaces: Places = {
  emptyPlace: async (lasts = false) => (lasts ? { dataDir: temporaryFolder() } : inMemory),
  stop: async () => undefined,
};
