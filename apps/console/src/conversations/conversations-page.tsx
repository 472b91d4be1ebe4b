import { Link } from '@tanstack/react-router';
import type { ConversationSummary, ListConversationsInput } from '#lib/client';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter, TextFilter } from '../parts/filters.js';
import { shortId } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Name } from '../parts/name.js';
import { Empty } from '../parts/notice.js';
import { LabelFilters, labelText } from '../parts/labels.js';
import { listOutside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';

const COLUMNS: { readonly [heading: string]: Column<ConversationSummary> } = {
  Conversation: {
    cell: ({ conversationId }) => (
      <Link to="/conversations/$id" params={{ id: conversationId }} className="id">
        {shortId(conversationId)}
      </Link>
    ),
  },
  Status: { cell: ({ status }) => <Status status={status} /> },
  Agent: { cell: ({ agentName }) => <Name text={agentName} /> },
  Labels: { wide: true, cell: (one) => <span className="cut">{labelText(one)}</span> },
  Began: { wide: true, right: true, cell: ({ createdAt }) => <Ago time={createdAt} /> },
  Changed: { wide: true, right: true, cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
};

export function ConversationsPage() {
  const { status, agentName, forkedFrom, idPrefix, key, tag } = useAddress();
  const labels = { key, tag };
  const filter = { status, agentName, forkedFrom, idPrefix, ...labels };
  const list = usePages(['conversations', filter], (page) =>
    server().listConversations({ ...(filter as ListConversationsInput), ...page }),
  );
  const options = { status, agent: agentName, 'forked-from': forkedFrom, 'id-prefix': idPrefix, ...labels };
  const outside = listOutside('/conversations', ['conversations', 'list'], filter, options);
  return (
    <Page title="Conversations" outside={outside}>
      <Filters>
        <SelectFilter name="status" label="Status" options={['open', 'completed', 'aborted']} />
        <TextFilter name="agentName" label="Agent" />
        <TextFilter name="forkedFrom" label="Forks of" />
        <LabelFilters />
      </Filters>
      <ListTable
        label="Conversations"
        list={list}
        columns={COLUMNS}
        keyOf={({ conversationId }) => conversationId}
        linkOf={({ conversationId }) => `/conversations/${conversationId}`}
        empty={
          <Empty
            title={
              Object.values(filter).some(Boolean)
                ? 'No conversation fits these filters'
                : 'No conversations yet'
            }
          />
        }
      />
    </Page>
  );
}
