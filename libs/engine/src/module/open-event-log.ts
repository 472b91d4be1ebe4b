import { EventLog, StreamNames } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { EngineSettings } from '../settings/engine-settings.js';
import { eventCatalogue } from './event-catalogue.js';

/** Opens the log that the settings name: EventStoreDB, or the file. @throws StoreUnavailable */
export async function openEventLog(settings: EngineSettings): Promise<EventLog> {
  const { eventStoreDbUrl: connectionString, logFile, streamPrefix } = settings;
  const store =
    connectionString === undefined
      ? await SqliteEventStore.open(logFile)
      : await EventStoreDbEventStore.open({ connectionString, streamPrefix });
  return new EventLog(store, eventCatalogue(), new StreamNames(streamPrefix));
}
