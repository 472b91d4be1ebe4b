import { ENGINE_ACTOR, type Json, type RecordedEvent } from '#lib/kernel';
import { OPERATOR } from '#lib/operations/core';
import type { AskedRuns } from '#lib/runs/runs/core';
import type { RunRequests } from '#lib/workflow';
import { toolIdsOf } from '../agent/named-parts.rules.js';
import { agentAfter, runsOfFork } from './fork.rules.js';
import type { TurnInput } from '../turn/turn.workflow.js';
import {
  type ConversationCommand,
  conversationDecider,
  type ConversationState,
} from './conversation.decider.js';
import type { ConversationEvent, ConversationStarted, TurnRequested } from './conversation.events.js';

/** The requests of turns and the records of their ends. A turn has the id of its run. */
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

/** The person who sent the message of a turn. */
export function senderOf({ metadata: { actor } }: RecordedEvent): string | undefined {
  return actor === OPERATOR || actor === ENGINE_ACTOR ? undefined : actor;
}

/** Turns as runs that conversations ask for. */
export const turnRun: AskedRuns<ConversationState, ConversationCommand, ConversationEvent> = {
  decider: conversationDecider,
  requests: turnRequests,
  input: ({ data }, events) => {
    const { conversationId } = (events[0] as ConversationStarted).data;
    const agent = agentAfter(events);
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
  startedBy: senderOf,
  forkOf: runsOfFork,
  closing: (conversationId, turnId, result) => ({
    type: 'CloseTurn',
    data: { conversationId, turnId, result },
  }),
};
