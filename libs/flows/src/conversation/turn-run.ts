import { fold, type Json } from '#lib/kernel';
import type { AskedRuns } from '#lib/runs';
import { toolIdsOf } from '../agent/named-parts.rules.js';
import type { TurnInput } from '../turn/turn.workflow.js';
import {
  type ConversationCommand,
  conversationDecider,
  type ConversationState,
} from './conversation.decider.js';
import type { ConversationEvent, TurnRequested } from './conversation.events.js';
import { turnRequests } from './turn-requests.js';

/** Turns as runs that conversations ask for. */
export const turnRun: AskedRuns<ConversationState, ConversationCommand, ConversationEvent> = {
  decider: conversationDecider,
  requests: turnRequests,
  input: ({ data, revision }, history) => {
    const state = fold(conversationDecider, history.slice(0, revision));
    const { text, context } = data as TurnRequested['data'];
    const input: TurnInput = {
      conversationId: state?.conversationId ?? '',
      text,
      ...(context && { context }),
      model: state?.agent.model ?? '',
      tools: state ? toolIdsOf(state.agent) : [],
      ...(state?.agent.backupModels && { backupModels: state.agent.backupModels }),
    };
    return input as object as Json;
  },
  closing: (conversationId, turnId, result) => ({
    type: 'CloseTurn',
    data: { conversationId, turnId, result },
  }),
};
