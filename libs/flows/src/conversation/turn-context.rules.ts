import { fold, type Json, type RecordedEvent } from '#lib/kernel';
import type { TurnConversation } from '../turn/turn-given.js';
import { type Past, pastOf } from './conversation-past.rules.js';
import { type Conversation, conversationDecider } from './conversation.decider.js';
import type { ConversationEvent, HistoryCompacted } from './conversation.events.js';
import { turnRequests } from './turn-requests.js';

/** The part of a conversation that its next turn uses. */
export function turnContext(events: readonly RecordedEvent[]): Json {
  const state = fold(conversationDecider, events as readonly RecordedEvent<ConversationEvent>[]);
  if (!state) return null;
  const conversation = events as readonly RecordedEvent<ConversationEvent>[];
  const past = pastOf(conversation);
  const { agent, data, context = {}, position, pendingDirective } = state;
  const completed = past.flowHistory.filter(({ isCompleted }) => isCompleted).map(({ flowId }) => flowId);
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
    ...historyFor(state, past, conversation),
    signals: Object.fromEntries(signals),
    now: events.at(-1)?.occurredAt ?? '',
  };
  return used as object as Json;
}

/** The history, shorter where it was compacted; what was compacted before the conversation was cleared does not count. */
function historyFor(
  { agent }: Conversation,
  { history }: Past,
  events: readonly RecordedEvent<ConversationEvent>[],
): Pick<TurnConversation, 'history' | 'summary' | 'revisions'> {
  const told = history.map(({ role, content }) => ({ role, content }));
  if (!agent.compaction) return { history: told };
  const cleared = events.findLastIndex(({ type, data }) => type === 'TurnTaken' && data.isCleared === true);
  const since = events.slice(cleared + 1);
  const last = since.findLast((event): event is RecordedEvent<HistoryCompacted> => {
    return event.type === 'HistoryCompacted';
  });
  const revisions = since.flatMap(({ type, revision }) => (type === 'TurnTaken' ? [revision] : []));
  const gone = compactedIn(since);
  const left = revisions.filter((revision) => !gone.has(revision));
  const summary = last?.data.summary;
  return {
    history: told.slice(2 * (revisions.length - left.length)),
    ...(last && summary !== undefined && { summary: { text: summary, revision: last.revision } }),
    revisions: left,
  };
}

function compactedIn(events: readonly RecordedEvent<ConversationEvent>[]): ReadonlySet<number> {
  return new Set(events.flatMap(({ type, data }) => (type === 'HistoryCompacted' ? data.sources : [])));
}
