import { type Rejection, shownLabels } from '#lib/kernel';
import {
  type FoldPage,
  type Folds,
  idStartsWith,
  labelledRows,
  type LabelFilter,
  type NumberedEvent,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
} from '#lib/read-models';
import type { ConversationEvent } from './conversation.events.js';
import { conversationForkOrigin, conversations, conversationsTable } from './conversations.tables.js';
import type { ConversationSummary } from './conversations.views.js';

function advance(page: FoldPage, { revision, occurredAt }: NumberedEvent, id: string) {
  const conversation = page.change(conversations, id);
  if (conversation) Object.assign(conversation, { revision, updatedAt: occurredAt });
  return conversation;
}

const onConversation: Folds<ConversationEvent> = {
  ConversationStarted: (page, event, conversationId) => {
    const { data, occurredAt, number } = event;
    const forkedFrom = data.forkedFrom && conversationForkOrigin(data.forkedFrom);
    page.put(conversations, {
      conversationId,
      agentName: data.agentName,
      agentVersion: data.agentVersion,
      status: 'open',
      ...shownLabels(event),
      ...(forkedFrom && { forkedFrom, forkOf: forkedFrom.conversationId }),
      createdAt: occurredAt,
      updatedAt: occurredAt,
      revision: 0,
      number,
    });
  },
  // The events before are copies: the conversation begins here.
  ConversationForked: (page, event, id) => {
    const conversation = advance(page, event, id);
    if (conversation) conversation.createdAt = event.occurredAt;
  },
  TurnRequested: advance,
  TurnTaken: (page, event, id) => {
    const conversation = advance(page, event, id);
    if (conversation) conversation.status = event.data.status;
  },
  HistoryCompacted: advance,
  TurnFailed: advance,
  DirectiveDispatched: advance,
};

/** A row for each conversation. Messages are read from its stream. */
export const conversationsModel: ReadModel<'conversations'> = {
  name: 'conversations',
  kinds: [conversations],
  of: { conversation: [conversations] },
  on: { conversation: onConversation },
};

interface ConversationFilter extends Partial<Pick<ConversationSummary, 'agentName' | 'status'>> {
  /** Only forks of this conversation. */
  readonly forkedFrom?: string;
  /** Only conversations whose ids begin so. */
  readonly idPrefix?: string;
}

/** Newest first. */
export function listConversations(
  db: Rows<'conversations' | 'labels'>,
  { agentName, status, forkedFrom, idPrefix, ...labels }: ConversationFilter & LabelFilter,
  request: PageRequest,
): Promise<Page<ConversationSummary> | Rejection> {
  return pageOfRows(request, {
    list: 'conversations',
    ...labelledRows(
      'conversation',
      db
        .withTables<SchemaOf<typeof conversationsTable>>()
        .selectFrom(conversationsTable.name)
        .selectAll(conversationsTable.name),
      labels,
      {
        db,
        indexed: ['fork_of', 'agent_name'],
        equal: { agent_name: agentName, status, fork_of: forkedFrom },
        span: idStartsWith(conversationsTable, 'conversation_id', idPrefix),
      },
    ),
    table: conversationsTable,
    by: 'number',
    order: 'desc',
    toItems: (rows) => rows.map((row) => recordOf(conversationsTable, row)),
  });
}
