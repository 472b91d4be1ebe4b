import type { RedialOptions } from '#lib/engine';

/** Where an engine has its log and its rows. Engines with the same place are one. */
export type Place = Required<Pick<RedialOptions, 'dataDir'>> &
  Pick<RedialOptions, 'eventStoreDbUrl' | 'databaseUrl' | 'streamPrefix'>;

/** Gives places with nothing in them, each for one test. */
export interface Places {
  emptyPlace(): Promise<Place>;
  /** Takes away what was made for them. */
  stop(): Promise<void>;
}
