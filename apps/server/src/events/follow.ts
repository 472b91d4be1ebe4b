import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvents } from '#lib/decisions/driving';
import { type ConversationEvents, turnRequests } from '#lib/flows/core';
import {
  type EventNotice,
  type EventTypes,
  isOneOf,
  noticeOf,
  type ShownEvent,
  shownEvent,
} from '#lib/histories';

type Events = AsyncGenerator<RecordedEvent>;

/** The events of one stream. */
export async function* followStream(
  log: EventLog,
  stream: string,
  after: Position | undefined,
  signal: AbortSignal,
): Events {
  const head = await log.store.head();
  yield* thenLive(log, log.each(stream), (stored) => stored.stream === stream, { head, after, signal });
}

/**
 * The events of a session and of the runs that it asked for. Those up to the head are found through the rows.
 * @throws RejectionError for an unknown session; ProjectionBehind: both before the first event
 */
export async function followSession(
  log: EventLog,
  events: SessionEvents,
  sessionId: string,
  start: { after: Position | undefined; minPosition: string | undefined; signal: AbortSignal },
): Promise<Events> {
  const { after, minPosition, signal } = start;
  const head = await log.store.head();
  const old = await events.each(sessionId, after, latest(head, minPosition));
  const isOfSession = (stored: StoredEvent) => isOf(log, sessionId, stored);
  return thenLive(log, old, isOfSession, { head, after, signal });
}

/** The events of a conversation and of its turns. @throws RejectionError for an unknown conversation, before the first event */
export async function followConversation(
  log: EventLog,
  events: ConversationEvents,
  conversationId: string,
  { after, signal }: Pick<Span, 'after' | 'signal'>,
): Promise<Events> {
  const head = await log.store.head();
  const turnIds = new Set(await events.turnIds(conversationId));
  const old = await events.each(conversationId, after);
  const isFollowed = (stored: StoredEvent) => {
    const { category, id = '' } = log.streams.parse(stored.stream) ?? {};
    if (category !== turnRequests.workflow) return category === 'conversation' && id === conversationId;
    // The first event of a turn names the conversation; later events from outside do not.
    if (log.codec.metadataOf(stored).correlationId === conversationId) turnIds.add(id);
    return turnIds.has(id);
  };
  return thenLive(log, old, isFollowed, { head, after, signal });
}

/** Every event of the log, of these types. */
export async function* followLog(
  log: EventLog,
  types: EventTypes,
  { after, signal }: LogSpan,
): AsyncGenerator<ShownEvent> {
  for await (const batch of log.store.subscribe(after, signal))
    for (const stored of batch) if (isOneOf(types, stored)) yield await shownEvent(log, stored);
}

/**
 * As `followLog`, without the content of the events: notices of them, once the rows show them.
 * @param rows resolves when rows have this position, or will not have it soon
 */
export async function* followNotices(
  log: EventLog,
  types: EventTypes,
  { after, signal }: LogSpan,
  rows: (position: Position) => Promise<void>,
): AsyncGenerator<EventNotice> {
  for await (const batch of log.store.subscribe(after, signal)) {
    const last = batch.at(-1);
    // Once for the whole batch: rows that stand still are waited for in each batch.
    if (last) await rows(last.position);
    for (const stored of batch) if (isOneOf(types, stored)) yield noticeOf(stored);
  }
}

type LogSpan = Pick<Span, 'after' | 'signal'>;

function isOf({ streams, codec }: EventLog, sessionId: string, stored: StoredEvent): boolean {
  const { category, id } = streams.parse(stored.stream) ?? {};
  if (category !== 'solicitation' && category !== 'arbitration')
    return category === 'session' && id === sessionId;
  return codec.metadataOf(stored).correlationId === sessionId;
}

interface Span {
  /** The head of the log at the start: events up to it are read from their streams, later ones from the log itself. */
  readonly head: Position | undefined;
  readonly after: Position | undefined;
  readonly signal: AbortSignal;
}

/**
 * Recorded events, then live ones. None is lost or repeated between the two, and the live part waits for no projection.
 * Ends when the signal aborts, or the log closes.
 */
async function* thenLive(
  log: EventLog,
  old: Events,
  isFollowed: (stored: StoredEvent) => boolean,
  { head, after, signal }: Span,
): Events {
  for await (const event of old) {
    if (signal.aborted || event.position > (head ?? '')) break;
    if (event.position > (after ?? '')) yield event;
  }
  for await (const batch of log.store.subscribe(latest(head, after), signal))
    for (const stored of batch) if (isFollowed(stored)) yield await log.decodeWithin(stored);
}

/** Positions of one log compare as text. */
function latest<P extends string>(one: P | undefined, other: P | undefined): P | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
