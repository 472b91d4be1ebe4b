import { type EventLog, ownEvents, type Position } from '#lib/event-store';
import type { RecordedEvent, Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '#lib/read-models';
import { mergedEvents } from '#lib/workflow';
import type { Conversations } from './conversations.js';
import {
  eventNamed,
  leanEvent,
  type ShownData,
  type Summarized,
  wholePage,
  withSummary,
} from '#lib/summaries';
import { turnRequests } from './turn-run.js';

/** An event of a conversation, or of the run of one of its turns. */
export type ConversationLogEvent = RecordedEvent;

type Events = AsyncGenerator<ConversationLogEvent>;

/** The whole events of conversations and of their turns, in log order. */
export class ConversationEvents {
  constructor(
    private readonly log: EventLog,
    private readonly conversations: Conversations,
  ) {}

  /** The events of a moment. @throws RejectionError */
  async at(conversationId: string, at: string | undefined): Promise<ConversationEvents> {
    if (at === undefined) return this;
    const { log } = await this.conversations.moment(conversationId, at);
    return new ConversationEvents(log, this.conversations.over(log));
  }

  /** The page holds one further event in memory. @throws RejectionError `unknown-conversation` */
  async page(
    conversationId: string,
    request: PageRequest & ShownData & { readonly event?: string },
  ): Promise<Page<Summarized<ConversationLogEvent>> | Rejection> {
    if (request.event !== undefined) return this.#only(conversationId, request.event, request);
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
      toItems: (found) => found.map((event) => leanEvent(withSummary(event), request.maxDataBytes)),
    });
  }

  async #only(conversationId: string, name: string, shown: ShownData) {
    await this.conversations.events(conversationId);
    const streams = { id: conversationId, categories: ['conversation', turnRequests.workflow] };
    return wholePage(eventNamed(this.log, name, streams), shown);
  }

  /**
   * The events after a position, up to the head of the log. Each is read when it is taken.
   * @throws RejectionError `unknown-conversation`, before the first event
   */
  async each(conversationId: string, after: Position | undefined): Promise<Events> {
    // Read before the conversation: else events of an open turn could pass later events of the conversation.
    const head = await this.log.store.head();
    const events = await this.conversations.events(conversationId);
    return this.#merged(conversationId, events, { after: after ?? '', upTo: head ?? ('' as Position) });
  }

  /** The requested turns, oldest first, without copied turns of forks. @throws RejectionError `unknown-conversation` */
  async turnIds(conversationId: string): Promise<readonly string[]> {
    const events = ownEvents(await this.conversations.events(conversationId));
    return events.map((event) => turnRequests.askedBy(event)).filter((turnId) => turnId !== undefined);
  }

  async *#merged(
    conversationId: string,
    events: readonly ConversationLogEvent[],
    { after, upTo }: { readonly after: string; readonly upTo: Position },
  ): Events {
    const closedAt = new Map(events.map((event) => [turnRequests.takenBy(event), event.position] as const));
    const asked = (event: ConversationLogEvent) => {
      const runId = event.metadata.copied ? undefined : turnRequests.askedBy(event);
      // A turn that was closed at or before `after` has no later event.
      const isRead = runId !== undefined && (closedAt.get(runId) ?? upTo) > after;
      return isRead ? [{ workflow: turnRequests.workflow, runId }] : [];
    };
    const log = this.log.upTo(upTo);
    const stream = log.streams.of('conversation', conversationId);
    for await (const { event } of mergedEvents(log, [stream], asked, after)) yield event;
  }
}
