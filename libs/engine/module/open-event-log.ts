import { existsSync } from 'node:fs';
import {
  EventLog,
  type EventStore,
  InMemoryEventStore,
  StoreUnavailable,
  StreamNames,
} from '#lib/event-store';
import { openHistory } from '#lib/histories/core';
import { loadPart, type RecordedEvent } from '#lib/kernel';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { noticeOf } from '#lib/telemetry';
import type { WorkflowRegistry } from '#lib/workflow';
import type { EngineSettings } from '../settings/engine-settings.js';
import { eventCatalogue } from './event-catalogue.js';

/** The location of a log, and of the read models of an engine on one machine. In memory, each opening is a log of its own. */
export type LogLocation = Pick<EngineSettings, 'eventStoreDbUrl' | 'logFile' | 'streamPrefix'> &
  Partial<Pick<EngineSettings, 'inMemory' | 'readFile' | 'patienceMs'>>;

/**
 * Opens the store of a log: EventStoreDB if the location names one, a new one in memory if it says so, else the file.
 * @param mustExist whether a missing log is an error
 * @throws NoLog
 * @throws StoreUnavailable
 */
export async function openEventStore(
  { inMemory, eventStoreDbUrl, logFile, readFile, streamPrefix, patienceMs }: LogLocation,
  mustExist = false,
): Promise<EventStore> {
  if (inMemory) return new InMemoryEventStore();
  if (eventStoreDbUrl === undefined) {
    assertNotLost(logFile, readFile);
    return SqliteEventStore.open(logFile, { mustExist });
  }
  const { EventStoreDbEventStore } = await loadPart(
    'EventStoreDB',
    () => import('#lib/event-store-eventstoredb'),
  );
  return EventStoreDbEventStore.open({
    connectionString: eventStoreDbUrl,
    streamPrefix,
    mustExist,
    ...(patienceMs !== undefined && { patienceMs }),
  });
}

/**
 * Opens the log that the settings name: a history file, EventStoreDB, in memory, or the file.
 * @param notify called with the lines about written events that an operator has to see
 * @throws StoreUnavailable @throws NoHistory @throws HistoryBroken
 */
export async function openEventLog(
  location: LogLocation & Partial<Pick<EngineSettings, 'historyFile' | 'workflows'>>,
  notify?: (notice: string) => void,
  mustExist = false,
): Promise<EventLog> {
  const codec = eventCatalogue(location.workflows?.all);
  if (location.historyFile !== undefined) return (await openHistory(location.historyFile, codec)).log;
  const streams = new StreamNames(location.streamPrefix);
  const onWritten = notify && noticesTo(notify, streams, location.workflows);
  return new EventLog(await openEventStore(location, mustExist), codec, streams, onWritten);
}

function noticesTo(
  notify: (notice: string) => void,
  streams: StreamNames,
  workflows: WorkflowRegistry | undefined,
) {
  return (event: RecordedEvent): void => {
    const { category = '', id = '' } = streams.parse(event.stream) ?? {};
    const isInternal = workflows?.isInternal(category) === true;
    const notice = noticeOf(event, { category, id, isInternal });
    if (notice !== undefined) notify(notice);
  };
}

/** A new log beside the read models of another one would hide the loss of that log. @throws StoreUnavailable */
function assertNotLost(logFile: string, readFile: string | undefined): void {
  if (readFile === undefined || existsSync(logFile) || !existsSync(readFile)) return;
  throw new StoreUnavailable(
    `cannot open the event log ${logFile}`,
    `the file does not exist, but read models made from a log do (${readFile})`,
    'Restore the log from a backup. To begin an empty log, move the read models away first',
  );
}
