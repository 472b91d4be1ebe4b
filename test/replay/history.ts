import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  EventLog,
  type EventStore,
  type EventToStore,
  InMemoryEventStore,
  StreamNames,
} from '#lib/event-store';
import { eventCatalogue } from '#lib/engine';

/** A session with its solicitations and arbitrations, stream by stream, as the store keeps them. */
export interface History {
  readonly sessionId: string;
  readonly events: readonly HistoryEvent[];
}

export interface HistoryEvent extends EventToStore {
  readonly stream: string;
}

/** Every event of a store, in log order. */
export async function historyOf(store: EventStore, sessionId: string): Promise<History> {
  const events = await store.readAll({ limit: 10_000 });
  const own = events.filter(({ stream }) => /_(session|solicitation|arbitration)-/.test(stream));
  return {
    sessionId,
    events: own.map(({ stream, eventId, type, data, metadata }) => ({
      stream,
      eventId,
      type,
      data,
      metadata,
    })),
  };
}

/** The history in a log of its own. */
export async function logWith({ events }: History): Promise<EventLog> {
  const store = new InMemoryEventStore();
  for (const { stream, ...event } of events) await store.append(stream, 'any', [event]);
  return new EventLog(store, eventCatalogue(), new StreamNames());
}

const FOLDER = join(import.meta.dirname, 'histories');

/** The histories that each release recorded: `<version>/<name>`. */
export function recordedHistories(): readonly { readonly name: string; readonly history: History }[] {
  return readdirSync(FOLDER).flatMap((version) =>
    readdirSync(join(FOLDER, version)).map((file) => ({
      name: `${version}/${file}`,
      history: JSON.parse(readFileSync(join(FOLDER, version, file), 'utf8')) as History,
    })),
  );
}

/** Where the histories of a version are written. */
export function historyFile(version: string, name: string): string {
  return join(FOLDER, version, `${name}.json`);
}
