import { EngineSettings } from '#lib/engine';
import type { StoredEvent } from '#lib/event-store';
import { markClaimed, openSqliteReadStore } from '#lib/read-models';
import { openLogOf } from './open-log-of.js';
import type { Place } from './place.js';

/**
 * The place, once its log begins with these events, as a process would have left it that died behind the last of them.
 * @param prefix that their streams have: it differs from place to place
 */
export async function placeWith(
  place: Place,
  events: readonly StoredEvent[],
  prefix: string,
): Promise<Place> {
  const { store, streams } = await openLogOf(place);
  await store.appendInOrder(
    events.map(({ stream, ...event }) => {
      return { stream: streams.prefix + stream.slice(prefix.length), expected: 'any', events: [event] };
    }),
  );
  await store.close();
  // Its rows are behind, and not gone: a log whose rows are gone waits for a claim.
  if (place.databaseUrl === undefined && place.eventStoreDbUrl === undefined) {
    const rows = await openSqliteReadStore(new EngineSettings(place).readFile);
    await markClaimed(rows);
    await rows.close();
  }
  return place;
}
