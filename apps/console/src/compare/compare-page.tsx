import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../app/address.js';
import { isUnknown } from '../data/server.js';
import { Loading, Problem } from '../parts/notice.js';
import type { Outside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { Choose } from './choose.js';
import { ComparedConversations } from './compared-conversations.js';
import { ComparedRuns } from './compared-runs.js';
import { ComparedSessions } from './compared-sessions.js';
import { type Kind, known } from './kinds.js';

const COMPARED: { readonly [kind in Kind]: typeof ComparedSessions } = {
  session: ComparedSessions,
  run: ComparedRuns,
  conversation: ComparedConversations,
};

/** No call compares runs or conversations: the reads of both are compared here. */
const OUTSIDE: { readonly [kind in Kind]: (a: string, b: string) => readonly Outside[] } = {
  session: (a, b) => [{ path: `/sessions/${a}/diff?with=${b}`, command: ['diff', a, b] }],
  run: (...ids) =>
    ids.flatMap((id) => [
      { path: `/runs/${id}`, command: ['runs', 'show', id] },
      { path: `/runs/${id}/events`, command: ['runs', 'events', id] },
    ]),
  conversation: (...ids) =>
    ids.map((id) => ({ path: `/conversations/${id}`, command: ['conversations', 'show', id] })),
};

/** Two objects of a kind, `a` and `b` of the address, side by side; a missing one is chosen here. */
export function ComparePage() {
  const { a = '', b = '' } = useAddress();
  const of = useQuery({ queryKey: ['kind', a], queryFn: () => known(a), enabled: a !== '' });
  const { data } = of;
  const error = isUnknown(of.error) ? `No session, run or conversation has the id ${a}.` : of.error;
  const { kind = 'session', group } = data ?? {};
  const Compared = COMPARED[kind];
  const outside = data && b !== '' ? OUTSIDE[kind](a, b) : [];
  if (error && b !== '')
    return (
      <Page title="Compare">
        <Problem error={error} />
      </Page>
    );
  if (a !== '' && !data && !error)
    return (
      <Page title="Compare">
        <Loading />
      </Page>
    );
  return (
    <Page title={`Compare ${kind}s`} outside={outside}>
      {error && <Problem error={error} />}
      {a !== '' && b !== '' ? (
        <Compared key={`${a} ${b}`} a={a} b={b} />
      ) : (
        <Choose a={a} kind={kind} group={group} />
      )}
    </Page>
  );
}
