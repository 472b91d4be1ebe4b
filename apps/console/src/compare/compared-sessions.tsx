import { useQuery } from '@tanstack/react-query';
import type { ComparedStep, Diff } from '#lib/client';
import { server } from '../data/server.js';
import { count, decider, dollars, duration } from '../parts/format.js';
import { Readable } from '../parts/json-view.js';
import { Loading, Problem } from '../parts/notice.js';
import { Fact } from '../parts/page.js';
import { subjectOf } from '../sessions/subject.js';
import { SideHead } from './side-head.js';
import { Verdict } from './verdict.js';

/** Two sessions, decision by decision; the server finds the differences. */
export function ComparedSessions({ a, b }: { readonly a: string; readonly b: string }) {
  const { data, error } = useQuery({
    queryKey: ['sessions', a, 'diff', b],
    queryFn: () => server().diffSessions({ sessionId: a, with: b }),
  });
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <Verdict noun="decision" all={data.steps.length} different={differing(data)} />
      <div className="compared">
        <Side name="a" sessionId={a} diff={data} />
        <Side name="b" sessionId={b} diff={data} />
        {data.steps.map((step, index) => (
          <Step key={index} number={index + 1} step={step} />
        ))}
      </div>
    </>
  );
}

interface SideProps {
  readonly name: 'a' | 'b';
  readonly sessionId: string;
  readonly diff: Diff;
}

function Side({ name, sessionId, diff: { costUSD, latencyMsec } }: SideProps) {
  const session = useQuery({
    queryKey: ['sessions', sessionId],
    queryFn: () => server().getSession({ sessionId }),
  });
  const { metaJson, currentState = '–' } = session.data ?? {};
  return (
    <SideHead name={name} kind="session" id={sessionId} about={subjectOf(metaJson)}>
      <Fact name="State">{currentState}</Fact>
      <Fact name="Models cost">{dollars(costUSD[name])}</Fact>
      <Fact name="and took">{duration(latencyMsec[name])}</Fact>
    </SideHead>
  );
}

function differing({ steps }: Diff): number {
  return steps.filter(({ changes }) => changes.length > 0).length;
}

function Step({ number, step: { a, b, changes } }: { readonly number: number; readonly step: ComparedStep }) {
  const isSame = changes.length === 0;
  return (
    <section aria-label={`Decision ${number}`} className={isSame ? 'compared-step same' : 'compared-step'}>
      <h3>
        Decision {number}{' '}
        <span className="dim">{isSame ? 'the same' : count(changes.length, 'difference')}</span>
      </h3>
      <Decided name="a" step={a} />
      <Decided name="b" step={b} />
      {!isSame && a && b && <Changes changes={changes} />}
    </section>
  );
}

function Decided({ name, step }: { readonly name: 'a' | 'b'; readonly step: ComparedStep['a'] }) {
  if (!step) return <p className={`compared-cell dim ${name}`}>Not decided</p>;
  const { fromState, transitionName, toState, decidedBy, isHuman, reasoning } = step;
  return (
    <div className={`compared-cell ${name}`}>
      <p>
        {fromState} <b>{transitionName}</b> → {toState}{' '}
        <span className="dim">decided by {decider(decidedBy, isHuman)}</span>
      </p>
      {reasoning !== '' && <p className="dim">{reasoning}</p>}
    </div>
  );
}

function Changes({ changes }: { readonly changes: ComparedStep['changes'] }) {
  return (
    <details className="compared-changes">
      <summary>Differences, member by member</summary>
      <table className="list" aria-label="Differences">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">a</th>
            <th scope="col">b</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ pointer, a, b }) => (
            <tr key={pointer}>
              <td>
                <code>{pointer}</code>
              </td>
              <td>{a === null ? <span className="dim">none</span> : <Readable value={a} />}</td>
              <td>{b === null ? <span className="dim">none</span> : <Readable value={b} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
