import type { Json } from '#lib/kernel';
import type { AskedRuns } from '#lib/runs';
import { toolIdsOf } from '../agent/named-parts.rules.js';
import type { TurnInput } from '../turn/turn.workflow.js';
import {
  type ConversationCommand,
  conversationDecider,
  type ConversationState,
} from './conversation.decider.js';
import type { ConversationEvent, ConversationStarted, TurnRequested } from './conversation.events.js';
import { turnRequests } from './turn-requests.js';

/** Turns as runs that conversations ask for. */
export const turnRun: AskedRuns<ConversationState, ConversationCommand, ConversationEvent> = {
  decider: conversationDecider,
  requests: turnRequests,
  input: ({ data }, [started]) => {
    const { conversationId, agent } = (started as ConversationStarted).data;
    const { text, context } = data as TurnRequested['data'];
    const { model, backupModels } = agent;
    const input: TurnInput = {
      conversationId,
      text,
      ...(context && { context }),
      model,
      tools: toolIdsOf(agent),
      ...(backupModels && { backupModels }),
    };
    return input as object as Json;
  },
  closing: (conversationId, turnId, result) => ({
    type: 'CloseTurn',
    data: { conversationId, turnId, result },
  }),
};
