import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useAddress, useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { stringifySearch } from '../app/search-params.js';
import { lazyPart } from '../app/lazily.js';
import { isUnknown, server } from '../data/server.js';
import { Raw } from '../parts/json-view.js';
import { Loading, Problem } from '../parts/notice.js';
import type { Outside } from '../parts/outside-the-browser.js';
import { Fact, Page } from '../parts/page.js';
import { Tabs } from '../parts/tabs.js';
import { Specialists } from './specialists.js';
import { Trust } from './trust.js';

const Diagram = lazyPart(() => import('../diagram/machine-diagram.js'));

export function MachinePage() {
  const machineName = useId();
  const { tab } = useAddress();
  const machine = useQuery({
    queryKey: ['machines', machineName],
    queryFn: () => server().getMachine({ machineName }),
  });
  const { data, error } = machine;
  if (isUnknown(error)) return <UnknownThing kind="machine" id={machineName} list="/machines" />;
  return (
    <Page
      title={machineName}
      kind="Machine"
      outside={outsideOf(machineName, tab)}
      facts={
        data && (
          <p className="fact-line">
            <Fact name="Version">{data.version}</Fact>
            <Fact name="Hash">
              <span className="id">{data.hash.slice(0, 12)}</span>
            </Fact>
            <Link to="/sessions" search={{ machineName }}>
              Sessions
            </Link>
          </p>
        )
      }
    >
      {error && <Problem error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <Tabs
          tabs={{
            Diagram: () => (
              <Suspense fallback={<Loading />}>
                <Diagram machine={data.definition} />
              </Suspense>
            ),
            Specialists: () => <Specialists machineName={machineName} />,
            Trust: () => <Trust machineName={machineName} />,
            Definition: () => <Raw value={data.definition} />,
          }}
        />
      )}
    </Page>
  );
}

/** The content of the tab. */
function outsideOf(machineName: string, tab: string | undefined): Outside {
  const path = `/machines/${machineName}`;
  if (tab === 'specialists')
    return {
      path: `/specialists${stringifySearch({ machineName })}`,
      command: ['specialists', 'list', '--machine', machineName],
    };
  if (tab === 'trust') return { path: `${path}/metrics`, command: ['metrics', machineName] };
  return { path, command: ['machines', 'show', machineName] };
}
