import type { RedialOptions } from '#lib/engine';

/** Where an engine has its log and its rows. Engines with the same place are one, but for those in memory. */
export type Place = Pick<
  RedialOptions,
  'storage' | 'dataDir' | 'eventStoreDbUrl' | 'databaseUrl' | 'streamPrefix'
>;

/** The place of an engine in the memory of its process. */
export const inMemory = { storage: 'memory' } as const satisfies Place;

/** Gives a place with nothing in it. @param lasts `true`: what is in it is to be opened again, by another engine or without one */
export type EmptyPlace = (lasts?: boolean) => Promise<Place>;

/** Gives places with nothing in them, each for one test. */
export interface Places {
  readonly emptyPlace: EmptyPlace;
  /** Takes away what was made for them. */
  stop(): Promise<void>;
}
