import { present, type RecordedEvent } from '#lib/kernel';
import type { Agent } from '../agent/agent-definition.js';
import type { ConversationEvent, ConversationForked, ConversationStarted } from './conversation.events.js';

/** The agent of a fork after this event. */
export function agentOfFork(agent: Agent, { data: { model, modelParameters } }: ConversationForked): Agent {
  return { ...agent, ...present({ model, modelParameters }) };
}

/** The agent of the turns after these events. */
export function agentAfter([started, ...events]: readonly ConversationEvent[]): Agent {
  return events.filter(isFork).reduce(agentOfFork, (started as ConversationStarted).data.agent);
}

/** The run of a fork's turn: the effects that it may have; `undefined` for a conversation that is no fork. */
export function runsOfFork(events: readonly RecordedEvent<ConversationEvent>[]) {
  const forked = events.findLast(isFork);
  return forked && { fork: forked.data.effects };
}

function isFork<E extends ConversationEvent>(event: E): event is E & ConversationForked {
  return event.type === 'ConversationForked';
}
