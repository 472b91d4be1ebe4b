import type { StreamHistory } from '#lib/event-store';
import type { Json } from '#lib/kernel';
import type { TurnConversation } from '../turn/turn-given.js';
import type { ConversationEvent } from './conversation.events.js';
import { conversationFold } from './conversation.rules.js';

/**
 * The part of a conversation that its next turn uses, since the conversation was cleared last. Its hash is recorded: it holds nothing
 * that only a view shows.
 */
export function turnContext(history: StreamHistory<ConversationEvent>): Json {
  const state = history.state(conversationFold);
  if (!state) return null;
  const { started, data, context = {}, position, pendingDirective, summary, signals, asked } = state;
  const { agent } = started;
  // From the end: what was compacted long ago is not looked through for each turn.
  const compacted = state.turns.findLastIndex(({ revision }) => revision <= state.compactedUpTo);
  const turns = state.turns.slice(compacted + 1);
  const fired = Object.entries(signals).map(([id, { count, lastAt }]) => [id, { count, lastAt }] as const);
  const used: TurnConversation = {
    agent,
    data,
    context,
    ...(position && { position }),
    completedFlows: state.completedFlows,
    ...(pendingDirective && { pendingDirective }),
    history: turns.flatMap(({ said, answered }) => [
      { role: 'user', content: said },
      { role: 'assistant', content: answered },
    ]),
    ...(summary && { summary }),
    ...(agent.compaction && { revisions: turns.map(({ revision }) => revision) }),
    signals: Object.fromEntries(fired),
    now: asked.at,
  };
  return used as object as Json;
}
