import { type EventLog, KeyMissing, type StoredEvent, UndecodableEvent } from '#lib/event-store';
import type { RecordedEvent, Rejection } from '#lib/kernel';
import { is, malformed, view } from '#lib/operations';
import { type Summarized, withSummary } from '#lib/summaries';

/** An event without its content. */
export class EventNotice extends view({
  position: is.text.about('The position in the whole log: opaque'),
  stream: is.text,
  revision: is.whole(),
  type: is.text,
  problem: is.text.optional.about('Why the event cannot be read'),
}) {}

/** An event as a reader of the whole log gets it. */
export type ShownEvent = Summarized<RecordedEvent> | EventNotice;

/** The requested types; absent: all. */
export type EventTypes = ReadonlySet<string> | undefined;

/** @param types recorded types, separated by commas @returns a rejection if no event has such a type */
export function eventTypesOf({ codec }: EventLog, types: string | undefined): EventTypes | Rejection {
  const named = types?.split(',');
  const unknown = named?.find((type) => !codec.knows(type));
  if (unknown === undefined) return named && new Set(named);
  return malformed([{ path: '/types', message: `no event has the type ${unknown.slice(0, 128)}` }]);
}

export function isOneOf(types: EventTypes, { type }: StoredEvent): boolean {
  return types?.has(type) ?? true;
}

/** The event with its content. An unreadable event becomes a notice with the reason: it hides no later event. */
export async function shownEvent(log: EventLog, stored: StoredEvent): Promise<ShownEvent> {
  try {
    return withSummary(await log.decodeWithin(stored));
  } catch (error) {
    if (!(error instanceof UndecodableEvent || error instanceof KeyMissing)) throw error;
    return noticeOf(stored, error.message);
  }
}

/** @param problem the reason if the event cannot be read */
export function noticeOf({ position, stream, revision, type }: StoredEvent, problem?: string): EventNotice {
  return { position, stream, revision, type, ...(problem !== undefined && { problem }) };
}
