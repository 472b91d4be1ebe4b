import { type Rejection, shownLabels, type Tags } from '#lib/kernel';
import {
  documents,
  flag,
  type FoldPage,
  foldedTable,
  type Folds,
  hidden,
  idStartsWith,
  json,
  labelledRows,
  type LabelFilter,
  numberInKey,
  optional,
  type NumberedEvent,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
  time,
  word,
} from '#lib/read-models';
import type { ConversationEvent } from './conversation.events.js';
import type { ConversationStatus, ConversationSummary } from './conversations.views.js';

const conversationsTable = foldedTable(
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
    created_at: time,
    updated_at: time,
    revision: 'integer',
    number: hidden('bigint'),
  },
  ['conversation_id'],
  [['number'], ['agent_name', 'number']],
);

const conversations = documents(conversationsTable, 'conversation_id');

function advance(page: FoldPage, { revision, occurredAt }: NumberedEvent, id: string) {
  const conversation = page.change(conversations, id);
  if (conversation) Object.assign(conversation, { revision, updatedAt: occurredAt });
  return conversation;
}

const onConversation: Folds<ConversationEvent> = {
  ConversationStarted: (page, event, conversationId) => {
    const { data, occurredAt, number } = event;
    page.put(conversations, {
      conversationId,
      agentName: data.agentName,
      agentVersion: data.agentVersion,
      status: 'open',
      ...shownLabels(event),
      createdAt: occurredAt,
      updatedAt: occurredAt,
      revision: 0,
      number,
    });
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

/** A row for each conversation; what was said is read from its stream. */
export const conversationsModel: ReadModel<'conversations'> = {
  name: 'conversations',
  kinds: [conversations],
  of: { conversation: [conversations] },
  on: { conversation: onConversation },
};

/** The filters of a list of conversations. */
interface ConversationFilter extends Partial<Pick<ConversationSummary, 'agentName' | 'status'>> {
  /** Only those whose ids begin so. */
  readonly idPrefix?: string;
}

/** Newest first. */
export function listConversations(
  db: Rows<'conversations' | 'labels'>,
  { agentName, status, idPrefix, ...labels }: ConversationFilter & LabelFilter,
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
        indexed: ['agent_name'],
        equal: { agent_name: agentName, status },
        span: idStartsWith(conversationsTable, 'conversation_id', idPrefix),
      },
    ),
    table: conversationsTable,
    by: 'number',
    readKey: numberInKey,
    order: 'desc',
    toItems: (rows) => rows.map((row) => recordOf(conversationsTable, row)),
  });
}
