import type { EventLog, Position } from '#lib/event-store';
import type { RecordedEvent, Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '#lib/read-models';
import type { Conversations } from './conversations.js';
import { turnRequests } from './turn-run.js';

/** An event of a conversation, or of a run that is a turn of it. */
export type ConversationLogEvent = RecordedEvent;

type Events = AsyncGenerator<ConversationLogEvent>;

/** The events of conversations and of their turns, in log order, whole. */
export class ConversationEvents {
  constructor(
    private readonly log: EventLog,
    private readonly conversations: Conversations,
  ) {}

  /** A page holds one event at a time besides its own. @throws RejectionError `unknown-conversation` */
  page(conversationId: string, request: PageRequest): Promise<Page<ConversationLogEvent> | Rejection> {
    let events: Events | undefined;
    return pageOf(request, {
      list: `events of conversation ${conversationId}`,
      rowsAtOnce: 1,
      read: async (after) => {
        events ??= await this.each(conversationId, after as Position | undefined);
        const { value, done } = await events.next();
        return done ? [] : [value];
      },
      keyOf: ({ position }) => position,
      toItems: (found) => found,
    });
  }

  /**
   * Those after a position, up to the head of the log, one after another, each read when it is taken.
   * @throws RejectionError `unknown-conversation`, before anything is given
   */
  async each(conversationId: string, after: Position | undefined): Promise<Events> {
    // Before the conversation: a turn that goes on meanwhile would else pass by later events of the conversation.
    const head = await this.log.store.head();
    const events = await this.conversations.events(conversationId);
    return this.#merged(events, { after: after ?? '', upTo: head ?? '' });
  }

  /** The turns that were asked for, oldest first. @throws RejectionError `unknown-conversation` */
  async turnIds(conversationId: string): Promise<readonly string[]> {
    const events = await this.conversations.events(conversationId);
    return events.map((event) => turnRequests.askedBy(event)).filter((turnId) => turnId !== undefined);
  }

  async *#merged(conversation: readonly ConversationLogEvent[], { after, upTo }: Span): Events {
    const open: Opened[] = [];
    const closedAt = new Map(
      conversation.map((event) => [turnRequests.takenBy(event), event.position] as const),
    );
    for (const event of conversation) {
      if (event.position > upTo) break;
      for await (const one of before(open, event.position)) if (one.position > after) yield one;
      if (event.position > after) yield event;
      const turnId = turnRequests.askedBy(event);
      // A turn that was closed before has no later event.
      if (turnId !== undefined && (closedAt.get(turnId) ?? upTo) > after) await this.#begin(turnId, open);
    }
    for await (const one of before(open, upTo, true)) if (one.position > after) yield one;
  }

  async #begin(turnId: string, open: Opened[]): Promise<void> {
    const rest = this.log.each(this.log.streams.of(turnRequests.workflow, turnId));
    const first = await rest.next();
    if (!first.done) open.push({ next: first.value, rest });
  }
}

interface Span {
  readonly after: string;
  readonly upTo: string;
}

/** A turn that is read, with its next event. */
interface Opened {
  next: ConversationLogEvent;
  readonly rest: Events;
}

/** The events of the turns before a position, or up to it. Turns that have no further one are taken out. */
async function* before(open: Opened[], position: string, isIncluded = false): Events {
  for (;;) {
    const first = open.toSorted((one, other) => (one.next.position < other.next.position ? -1 : 1))[0];
    if (!first || first.next.position > position || (first.next.position === position && !isIncluded)) return;
    yield first.next;
    const { value, done } = await first.rest.next();
    if (done) open.splice(open.indexOf(first), 1);
    else first.next = value;
  }
}
