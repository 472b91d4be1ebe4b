import { useQuery } from '@tanstack/react-query';
import type { ConversationView } from '#lib/client';
import { useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { CallsTable } from '../calls/calls-table.js';
import { useEvents } from '../data/events.js';
import { usePages } from '../data/pages.js';
import { isUnknown, server } from '../data/server.js';
import { dollars, shortId } from '../parts/format.js';
import { LongText, Readable } from '../parts/json-view.js';
import { Empty, Loading, Problem } from '../parts/notice.js';
import { Fact, Page } from '../parts/page.js';
import { ReplayTab } from '../parts/replay-tab.js';
import { Status } from '../parts/status.js';
import { Tabs } from '../parts/tabs.js';
import { Ago } from '../parts/time.js';
import { HistoryTable } from '../timeline/history-table.js';
import { Timeline } from '../timeline/timeline.js';
import { WithEvent } from '../timeline/with-event.js';

export function ConversationPage() {
  const conversationId = useId();
  const conversation = useQuery({
    queryKey: ['conversations', conversationId],
    queryFn: () => server().getConversation({ conversationId }),
  });
  const { data, error } = conversation;
  if (isUnknown(error)) return <UnknownThing kind="conversation" id={conversationId} list="/conversations" />;
  return (
    <Page
      title={`Conversation ${shortId(conversationId)}`}
      path={`/conversations/${conversationId}`}
      command={['conversations', 'show', conversationId]}
      facts={data && <Facts conversation={data} />}
    >
      {error && <Problem error={error} />}
      {data ? <Views conversation={data} /> : !error && <Loading />}
    </Page>
  );
}

function Facts({ conversation }: { readonly conversation: ConversationView }) {
  const { status, agentName, agentVersion, currentFlow, usage, updatedAt, data } = conversation;
  return (
    <>
      <p className="fact-line">
        <Status status={status} />
        <Fact name="Agent">
          {agentName} version {agentVersion}
        </Fact>
        {currentFlow && <Fact name="Flow">{currentFlow.title}</Fact>}
        <Fact name="Cost">{dollars(usage.costUSD)}</Fact>
        <Fact name="Changed">
          <Ago time={updatedAt} />
        </Fact>
      </p>
      <details className="about">
        <summary>Data</summary>
        <Readable value={data} />
      </details>
    </>
  );
}

function Views({ conversation }: { readonly conversation: ConversationView }) {
  const { conversationId, history } = conversation;
  const events = useEvents(['conversations', conversationId, 'events'], (page) =>
    server().listConversationEvents({ conversationId, ...page }),
  );
  return (
    <Tabs
      tabs={{
        Timeline: () => (
          <>
            <Talk history={history} />
            <WithEvent query={events}>{(shown) => <Timeline {...shown} group="Turn" />}</WithEvent>
          </>
        ),
        History: () => <WithEvent query={events}>{(shown) => <HistoryTable {...shown} />}</WithEvent>,
        Diagram: () => <Empty title="The diagram of an agent is not part of this version" />,
        Calls: () => <Calls conversationId={conversationId} />,
        Replay: () => <ReplayTab verify={() => server().replayConversation({ conversationId })} />,
      }}
    />
  );
}

/** The messages, above how they came about. */
function Talk({ history }: Pick<ConversationView, 'history'>) {
  if (history.length === 0) return null;
  return (
    <section aria-label="Messages" className="talk">
      {history.map(({ role, content }, index) => (
        <div key={index} className={`message ${role}`}>
          <p className="role">{role}</p>
          <p>
            <LongText text={content} />
          </p>
        </div>
      ))}
    </section>
  );
}

function Calls({ conversationId }: { readonly conversationId: string }) {
  const list = usePages(['conversations', conversationId, 'calls'], (page) =>
    server().listLlmCallsOfConversation({ conversationId, ...page }),
  );
  return <CallsTable list={list} />;
}
