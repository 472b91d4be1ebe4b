import type { StreamHistory } from '#lib/event-store';
import type { Json } from '#lib/kernel';
import type { TurnConversation } from '../turn/turn-given.js';
import type { ConversationEvent } from './conversation.events.js';
import { conversationFold } from './conversation.rules.js';

/** The input of the next turn from a conversation, since it was cleared last. Its hash is recorded, so it has no members for views alone. */
export function turnContext(history: StreamHistory<ConversationEvent>): Json {
  const state = history.state(conversationFold);
  if (!state) return null;
  const { started, data, context = {}, position, pendingDirective, summary, signals, asked } = state;
  const { agent } = started;
  // Searched from the end: compacted turns are not read again for each turn.
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
