import { EventLog, type EventStore, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { EngineSettings } from '../settings/engine-settings.js';
import { eventCatalogue } from './event-catalogue.js';

/** Where a log is. */
export type LogPlace = Pick<EngineSettings, 'eventStoreDbUrl' | 'logFile' | 'streamPrefix'>;

/** Opens the store of a log: EventStoreDB where the place names one, else the file. @throws StoreUnavailable */
export async function openEventStore({
  eventStoreDbUrl,
  logFile,
  streamPrefix,
}: LogPlace): Promise<EventStore> {
  if (eventStoreDbUrl === undefined) return SqliteEventStore.open(logFile);
  // Only here: the client takes long to load, and who works with a file never needs it.
  const { EventStoreDbEventStore } = await import('#lib/event-store-eventstoredb');
  return EventStoreDbEventStore.open({ connectionString: eventStoreDbUrl, streamPrefix });
}

/** Opens the log that the settings name: EventStoreDB, or the file. @throws StoreUnavailable */
export async function openEventLog(
  place: LogPlace & Partial<Pick<EngineSettings, 'workflows'>>,
): Promise<EventLog> {
  const codec = eventCatalogue(place.workflows?.all);
  return new EventLog(await openEventStore(place), codec, new StreamNames(place.streamPrefix));
}
