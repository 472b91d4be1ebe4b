import type { EventLog } from '#lib/event-store';
import {
  type ConversationEvent,
  type ConversationView,
  conversationView,
  type TurnView,
  turnViews,
} from '#lib/flows/core';

/** A conversation with its turns, oldest first. */
export interface ConversationInspection {
  readonly conversation: ConversationView;
  readonly turns: readonly TurnView[];
}

/** From the log alone. @returns `undefined` where there is no such conversation */
export async function inspectConversation(
  log: EventLog,
  conversationId: string,
): Promise<ConversationInspection | undefined> {
  const stream = log.streams.of('conversation', conversationId);
  const events = await log.readStream<ConversationEvent>(stream);
  const conversation = conversationView(events);
  return conversation && { conversation, turns: turnViews(events) };
}
