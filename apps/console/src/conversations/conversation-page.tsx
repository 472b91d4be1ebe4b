import { Suspense } from 'react';
import type { ConversationView } from '#lib/client';
import { useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { lazyPart } from '../app/lazily.js';
import { CallsOf } from '../calls/calls-of.js';
import { useEvents } from '../data/events.js';
import { type AtMoment, useMoment } from '../data/moment.js';
import { isUnknown, server } from '../data/server.js';
import { CompareButton, Origin } from '../forks/origin.js';
import { dollars, shortId } from '../parts/format.js';
import { ExportHistory } from '../parts/export-history.js';
import { LongText, Readable } from '../parts/json-view.js';
import { Labels } from '../parts/labels.js';
import { Loading, Problem } from '../parts/notice.js';
import { useTabOutside } from '../parts/outside-the-browser.js';
import { Fact, Page, TimeFact } from '../parts/page.js';
import { ReplayTab } from '../parts/replay-tab.js';
import { Status } from '../parts/status.js';
import { Tabs } from '../parts/tabs.js';
import { TimeSlider } from '../parts/time-slider.js';
import { TasksOf } from '../tasks/tasks-of.js';
import { HistoryTable } from '../timeline/history-table.js';
import { Timeline } from '../timeline/timeline.js';
import { WithEvent } from '../timeline/with-event.js';
import { ForkConversation } from './fork-conversation.js';
import { turnsOf } from './turns.js';

/** Loaded when it is shown: the layout of graphs is large. */
const WhyDiagram = lazyPart(() => import('../diagram/why-diagram.js'));

export function ConversationPage() {
  const conversationId = useId();
  const moment = useMoment(['conversations', conversationId], (at) =>
    server().getConversation({ conversationId, ...at }),
  );
  const { at, shown } = moment;
  const outside = useTabOutside('/conversations', ['conversations'], conversationId);
  const { data, error } = shown;
  if (isUnknown(error) && at.at === undefined)
    return <UnknownThing kind="conversation" id={conversationId} list="/conversations" />;
  return (
    <Page
      title={`Conversation ${shortId(conversationId)}`}
      outside={outside}
      facts={data && <Facts conversation={data} />}
      actions={data && <Actions conversation={data} />}
    >
      {error && <Problem error={error} />}
      {!at.at && <TasksOf owner={{ conversationId }} />}
      <TimeSlider moment={moment} />
      {data ? <Views conversation={data} at={at} /> : !error && <Loading />}
    </Page>
  );
}

function Actions({ conversation }: { readonly conversation: ConversationView }) {
  const { conversationId } = conversation;
  return (
    <>
      {!conversation.erased && <ForkConversation conversation={conversation} />}
      <CompareButton id={conversationId} />
      <ExportHistory
        name={`conversation-${conversationId}`}
        read={() => server().getConversationHistory({ conversationId })}
      />
    </>
  );
}

function Facts({ conversation }: { readonly conversation: ConversationView }) {
  const { status, agentName, agentVersion, currentFlow, usage, updatedAt, data, forkedFrom } = conversation;
  const border = turnsOf(conversation.history).findIndex(({ turnId }) => turnId === forkedFrom?.turnId);
  return (
    <>
      <p className="fact-line">
        <Status status={status} />
        <Fact name="Agent">
          {agentName} version {agentVersion}
        </Fact>
        {currentFlow && <Fact name="Flow">{currentFlow.title}</Fact>}
        <Fact name="Cost">{dollars(usage.costUSD)}</Fact>
        <TimeFact name="Changed" time={updatedAt} />
        <Labels of={conversation} list="/conversations" />
        {forkedFrom && (
          <Origin
            list="/conversations"
            id={conversation.conversationId}
            parentId={forkedFrom.conversationId}
            from={forkedFrom}
          >
            {border === -1 ? 'after a later turn' : `after turn ${border + 1}`}
          </Origin>
        )}
      </p>
      <details className="about">
        <summary>Data</summary>
        <Readable value={data} />
      </details>
    </>
  );
}

interface ViewsProps {
  readonly conversation: ConversationView;
  readonly at: AtMoment<ConversationView>['at'];
}

function Views({ conversation, at }: ViewsProps) {
  const { conversationId, history } = conversation;
  const events = useEvents(['conversations', conversationId, 'events', at], (page) =>
    server().listConversationEvents({ conversationId, ...at, ...page }),
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
        Diagram: () => (
          <Suspense fallback={<Loading />}>
            <WhyDiagram
              of={['conversations', conversationId, at]}
              read={() => server().whyConversation({ conversationId, ...at })}
            />
          </Suspense>
        ),
        Calls: () => <CallsOf owner={{ conversationId }} at={at.at} />,
        Replay: () => <ReplayTab verify={() => server().replayConversation({ conversationId })} />,
      }}
    />
  );
}

/** The messages, above their details. */
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
