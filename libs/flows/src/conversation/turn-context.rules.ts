import type { StreamHistory } from '#lib/event-store';
import type { Json } from '#lib/kernel';
import type { TurnConversation } from '../turn/turn-given.js';
import type { ConversationEvent } from './conversation.events.js';
import { conversationFold } from './conversation.rules.js';

/** The part of a conversation that its next turn uses, since the conversation was cleared last. */
export function turnContext(history: StreamHistory<ConversationEvent>): Json {
  const state = history.state(conversationFold);
  if (!state) return null;
  const { started, data, context = {}, position, pendingDirective, summary, signals, asked } = state;
  const { agent } = started;
  const turns = state.turns.filter(({ revision }) => revision > state.compactedUpTo);
  const completed = state.visits.flatMap((visit) => (visit.completed ? [visit.flowId] : []));
  const used: TurnConversation = {
    agent,
    data,
    context,
    ...(position && { position }),
    completedFlows: [...new Set(completed)],
    ...(pendingDirective && { pendingDirective }),
    history: turns.flatMap(({ said, answered }) => [
      { role: 'user', content: said },
      { role: 'assistant', content: answered },
    ]),
    ...(summary && { summary }),
    ...(agent.compaction && { revisions: turns.map(({ revision }) => revision) }),
    signals,
    now: asked.at,
  };
  return used as object as Json;
}
