import { type ForkedFrom, idInStream } from '#lib/event-store';
import type { Tags } from '#lib/kernel';
import { documents, flag, foldedTable, hidden, json, optional, time, word } from '#lib/read-models';
import type { ConversationStatus } from './conversations.views.js';

/** The parent of a fork, and the last copied turn. */
interface ConversationForkOrigin {
  readonly conversationId: string;
  readonly turnId: string;
  /** A person, or `operator`. */
  readonly by: string;
  readonly reason?: string;
}

export function conversationForkOrigin({
  stream,
  turnId = '',
  by,
  reason,
}: ForkedFrom): ConversationForkOrigin {
  return { conversationId: idInStream(stream), turnId, by, ...(reason !== undefined && { reason }) };
}

export const conversationsTable = foldedTable(
  'conversations',
  {
    conversation_id: 'text',
    agent_name: 'text',
    agent_version: 'integer',
    status: word<ConversationStatus>(),
    key: 'text?',
    tags: optional(json<Tags>()),
    subject: 'text?',
    erased: optional(flag),
    forked_from: optional(json<ConversationForkOrigin>()),
    /** The parent of a fork, for filters of lists. */
    fork_of: hidden('text?'),
    created_at: time,
    updated_at: time,
    revision: 'integer',
    number: hidden('bigint'),
  },
  ['conversation_id'],
  [['number'], ['agent_name', 'number'], ['fork_of', 'number']],
);

export const conversations = documents(conversationsTable, 'conversation_id');
