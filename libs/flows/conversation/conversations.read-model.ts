import type { RecordedEvent, Rejection } from '#lib/kernel';
import {
  type Handlers,
  hidden,
  insertRow,
  type Page,
  pageOfRows,
  type PageRequest,
  type Projection,
  recordOf,
  type Rows,
  type SchemaOf,
  table,
  time,
  updateRow,
  word,
} from '#lib/read-models';
import type { ConversationEvent } from './conversation.events.js';
import type { ConversationStatus, ConversationSummary } from './conversations.views.js';

const conversationsTable = table(
  'conversations_v1',
  {
    conversation_id: 'text',
    agent_name: 'text',
    agent_version: 'integer',
    status: word<ConversationStatus>(),
    created_at: time,
    updated_at: time,
    revision: 'integer',
    position: hidden('text'),
  },
  ['conversation_id'],
  [['position'], ['agent_name', 'position']],
);

const addConversation = insertRow(conversationsTable);
const advance = updateRow(conversationsTable, ['conversation_id'], ['revision', 'updated_at']);
const setStatus = updateRow(conversationsTable, ['conversation_id'], ['status']);

function advanced({ revision, occurredAt }: RecordedEvent, conversationId: string) {
  return advance({ conversationId, revision, updatedAt: occurredAt });
}

const onConversation: Handlers<ConversationEvent> = {
  ConversationStarted: ({ data, occurredAt, position }) => [
    addConversation({
      ...data,
      status: 'open',
      createdAt: occurredAt,
      updatedAt: occurredAt,
      revision: 0,
      position,
    }),
  ],
  TurnRequested: (event, id) => [advanced(event, id)],
  TurnTaken: (event, id) => [
    advanced(event, id),
    setStatus({ conversationId: id, status: event.data.status }),
  ],
  HistoryCompacted: (event, id) => [advanced(event, id)],
  TurnFailed: (event, id) => [advanced(event, id)],
  DirectiveDispatched: (event, id) => [advanced(event, id)],
};

/** A row for each conversation; what was said is read from its stream. */
export const conversationsProjection: Projection<'conversations'> = {
  name: 'conversations',
  version: 1,
  tables: [conversationsTable],
  on: { conversation: onConversation },
};

/** Newest first. */
export function listConversations(
  db: Rows<'conversations'>,
  { agentName, status }: Partial<Pick<ConversationSummary, 'agentName' | 'status'>>,
  request: PageRequest,
): Promise<Page<ConversationSummary> | Rejection> {
  return pageOfRows(request, {
    list: 'conversations',
    rows: db.withTables<SchemaOf<typeof conversationsTable>>().selectFrom('conversations_v1').selectAll(),
    filter: { db, indexed: ['agent_name'], equal: { agent_name: agentName, status } },
    table: conversationsTable,
    by: 'position',
    order: 'desc',
    toItems: (rows) => rows.map((row) => recordOf(conversationsTable, row)),
  });
}
