import { afterAll, beforeAll, describe } from '@jest/globals';
import { embeddedPlaces } from './embedded-places.js';
import type { EmptyPlace, Places } from './place.js';
import { ServerPlaces } from './server-places.js';

/**
 * Stories that are the same wherever the log and the rows are. `emptyPlace` may be called from hooks and tests. Where `STORIES`
 * says `servers` (`npm run test:servers`) they run on servers, else embedded: together they would make `npm test` slow. Their
 * files are named `*.stories.spec.ts`.
 */
export function describeOnEachEngine(title: string, stories: (emptyPlace: EmptyPlace) => void): void {
  if (process.env['STORIES'] === 'servers') describeOnServers(title, stories);
  else describeEmbedded(title, stories);
}

/** The same, on both in any case. */
export function describeOnBothEngines(title: string, stories: (emptyPlace: EmptyPlace) => void): void {
  describeEmbedded(title, stories);
  describeOnServers(title, stories);
}

function describeEmbedded(title: string, stories: (emptyPlace: EmptyPlace) => void): void {
  describeIn(`${title}, embedded`, async () => embeddedPlaces, stories);
}

function describeOnServers(title: string, stories: (emptyPlace: EmptyPlace) => void): void {
  describeIn(`${title}, on EventStoreDB and PostgreSQL`, () => ServerPlaces.start(), stories);
}

function describeIn(
  title: string,
  start: () => Promise<Places>,
  stories: (emptyPlace: EmptyPlace) => void,
): void {
  describe.each([title])('%s', () => {
    let places: Places | undefined;

    beforeAll(async () => {
      places = await start();
    });

    afterAll(() => places?.stop());

    stories(async (lasts) => {
      if (places === undefined) throw new Error('A place was asked for outside of hooks and tests.');
      return places.emptyPlace(lasts);
    });
  });
}
