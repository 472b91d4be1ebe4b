import type { RunRequests } from '#lib/workflow';
import type { ConversationEvent } from './conversation.events.js';

/** How conversations ask for turns, and take in their ends. The id of the turn is that of its run. */
export const turnRequests: RunRequests = {
  category: 'conversation',
  workflow: 'turn',
  askedBy: (event) => turnIdOf(event as ConversationEvent, ['TurnRequested']),
  takenBy: (event) => turnIdOf(event as ConversationEvent, ['TurnTaken', 'TurnFailed']),
};

function turnIdOf(
  { type, data }: ConversationEvent,
  types: readonly ConversationEvent['type'][],
): string | undefined {
  if (!types.includes(type)) return undefined;
  return 'turnId' in data ? data.turnId : undefined;
}
