import { EventLog, type EventStore, StreamNames } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { EngineSettings } from '../settings/engine-settings.js';
import { eventCatalogue } from './event-catalogue.js';

/** Where a log is. */
export type LogPlace = Pick<EngineSettings, 'eventStoreDbUrl' | 'logFile' | 'streamPrefix'>;

/** Opens the store of a log: EventStoreDB where the place names one, else the file. @throws StoreUnavailable */
export function openEventStore({ eventStoreDbUrl, logFile, streamPrefix }: LogPlace): Promise<EventStore> {
  return eventStoreDbUrl === undefined
    ? SqliteEventStore.open(logFile)
    : EventStoreDbEventStore.open({ connectionString: eventStoreDbUrl, streamPrefix });
}

/** Opens the log that the settings name: EventStoreDB, or the file. @throws StoreUnavailable */
export async function openEventLog(place: LogPlace): Promise<EventLog> {
  return new EventLog(await openEventStore(place), eventCatalogue(), new StreamNames(place.streamPrefix));
}
