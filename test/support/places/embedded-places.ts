import { temporaryFolder } from '#lib/kernel/testing';
import type { Places } from './place.js';

/** Temporary folders, for an engine with nothing installed. */
export const embeddedPlaces: Places = {
  emptyPlace: async () => ({ dataDir: temporaryFolder() }),
  stop: async () => undefined,
};
