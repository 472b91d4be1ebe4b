import type { RecordedEvent, Rejection } from '#lib/kernel';
import {
  type Handlers,
  insertRow,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type RowOf,
  type Rows,
  storedTime,
  table,
  timeFromStored,
  updateRow,
} from '#lib/projections';
import type { ConversationEvent } from './conversation.events.js';
import type { ConversationStatus, ConversationSummary } from './conversations.views.js';

const conversationsTable = table(
  'conversations_v1',
  {
    conversation_id: 'text',
    agent_name: 'text',
    agent_version: 'integer',
    status: 'text',
    created_at: 'bigint',
    updated_at: 'bigint',
    revision: 'integer',
    position: 'text',
  },
  ['conversation_id'],
  [['position'], ['agent_name', 'position']],
);
type Tables = { conversations_v1: RowOf<typeof conversationsTable> };

const addConversation = insertRow(conversationsTable);
const advance = updateRow(conversationsTable, ['conversation_id'], ['revision', 'updated_at']);
const setStatus = updateRow(conversationsTable, ['conversation_id'], ['status']);

function advanced({ revision, occurredAt }: RecordedEvent, conversationId: string) {
  return advance({ conversation_id: conversationId, revision, updated_at: storedTime(occurredAt) });
}

const onConversation: Handlers<ConversationEvent> = {
  ConversationStarted: ({ data: { conversationId, agentName, agentVersion }, occurredAt, position }) => [
    addConversation({
      conversation_id: conversationId,
      agent_name: agentName,
      agent_version: agentVersion,
      status: 'open',
      created_at: storedTime(occurredAt),
      updated_at: storedTime(occurredAt),
      revision: 0,
      position,
    }),
  ],
  TurnRequested: (event, id) => [advanced(event, id)],
  TurnTaken: (event, id) => [
    advanced(event, id),
    setStatus({ conversation_id: id, status: event.data.status }),
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

export interface ConversationFilter {
  readonly agentName?: string;
  readonly status?: ConversationStatus;
}

/** Newest first. */
export function listConversations(
  db: Rows<'conversations'>,
  { agentName, status }: ConversationFilter,
  request: PageRequest,
): Promise<Page<ConversationSummary> | Rejection> {
  return pageOf(request, {
    list: 'conversations',
    read: (after, limit) => {
      let query = db.withTables<Tables>().selectFrom('conversations_v1').selectAll();
      if (agentName !== undefined) query = query.where('agent_name', '=', agentName);
      if (status !== undefined) query = query.where('status', '=', status);
      if (after !== undefined) query = query.where('position', '<', after);
      return query.orderBy('position', 'desc').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) => rows.map(summaryOf),
  });
}

function summaryOf(row: RowOf<typeof conversationsTable>): ConversationSummary {
  return {
    conversationId: row.conversation_id,
    agentName: row.agent_name,
    agentVersion: row.agent_version,
    status: row.status as ConversationStatus,
    createdAt: timeFromStored(row.created_at),
    updatedAt: timeFromStored(row.updated_at),
    revision: row.revision,
  };
}
