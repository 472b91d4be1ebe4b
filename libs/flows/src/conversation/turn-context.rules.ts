import { fold, type Json, type RecordedEvent } from '#lib/kernel';
import type { TurnConversation } from '../turn/turn-given.js';
import { conversationDecider } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { turnRequests } from './turn-requests.js';

/** The part of a conversation that its next turn uses. */
export function turnContext(events: readonly RecordedEvent[]): Json {
  const state = fold(conversationDecider, events as readonly RecordedEvent<ConversationEvent>[]);
  if (!state) return null;
  const { agent, data, context = {}, position, flowHistory, pendingDirective, history } = state;
  const completed = flowHistory.filter(({ isCompleted }) => isCompleted).map(({ flowId }) => flowId);
  const requestedAt = new Map(events.map((event) => [turnRequests.askedBy(event), event.occurredAt]));
  const signals = Object.entries(state.signals).map(([id, { count, lastIn }]) => {
    return [id, { count, lastAt: requestedAt.get(lastIn) ?? '' }] as const;
  });
  const used: TurnConversation = {
    agent,
    data,
    context,
    ...(position && { position }),
    completedFlows: [...new Set(completed)],
    ...(pendingDirective && { pendingDirective }),
    history: history.map(({ role, content }) => ({ role, content })),
    signals: Object.fromEntries(signals),
    now: events.at(-1)?.occurredAt ?? '',
  };
  return used as object as Json;
}
