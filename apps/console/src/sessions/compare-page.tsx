import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComparedStep, Diff, Session } from '#lib/client';
import { useAddress, useSetAddress } from '../app/address.js';
import { server } from '../data/server.js';
import { count, decider, dollars, duration, shortId } from '../parts/format.js';
import { Readable } from '../parts/json-view.js';
import { Loading, Problem } from '../parts/notice.js';
import { Fact, Page } from '../parts/page.js';
import { subjectOf } from './subject.js';

/** Two sessions, `a` and `b` of the address, side by side; `b` is chosen here if the address has none. */
export function ComparePage() {
  const { a = '', b = '' } = useAddress();
  const isChosen = a !== '' && b !== '';
  const outside = isChosen && { path: `/sessions/${a}/diff?with=${b}`, command: ['diff', a, b] };
  return (
    <Page title="Compare sessions" {...(outside && { outside })}>
      {isChosen ? <Compared key={`${a} ${b}`} a={a} b={b} /> : <Choose a={a} />}
    </Page>
  );
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const { data, error } = useQuery({
    queryKey: ['sessions', a, 'diff', b],
    queryFn: () => server().diffSessions({ sessionId: a, with: b }),
  });
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <Verdict diff={data} />
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

function Verdict({ diff: { same, steps } }: { readonly diff: Diff }) {
  const different = steps.filter(({ changes }) => changes.length > 0).length;
  return (
    <div className={same ? 'verdict good' : 'verdict'} role="status">
      <p className="verdict-word">
        {same ? 'same decisions' : `${different} of ${steps.length} decisions differ`}
      </p>
      <p className="dim">Ids, times, cost and duration are not compared.</p>
    </div>
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
  return (
    <section aria-label={`Session ${name}`} className={`compared-head ${name}`}>
      <h2>
        <Link to="/sessions/$id" params={{ id: sessionId }}>
          Session {shortId(sessionId)}
        </Link>
      </h2>
      <p className="dim cut">{subjectOf(session.data?.metaJson)}</p>
      <p className="fact-line">
        <Fact name="State">{session.data?.currentState ?? '–'}</Fact>
        <Fact name="Models cost">{dollars(costUSD[name])}</Fact>
        <Fact name="and took">{duration(latencyMsec[name])}</Fact>
      </p>
    </section>
  );
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
              <td>{a === undefined ? <span className="dim">none</span> : <Readable value={a} />}</td>
              <td>{b === undefined ? <span className="dim">none</span> : <Readable value={b} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const OFFERED = 20;

/** The other session: one of the latest of the same machine, or any by its id. */
function Choose({ a }: { readonly a: string }) {
  const set = useSetAddress();
  const [id, setId] = useState('');
  const first = useQuery({
    queryKey: ['sessions', a],
    queryFn: () => server().getSession({ sessionId: a }),
    enabled: a !== '',
  });
  const member = a === '' ? 'a' : 'b';
  return (
    <section className="card compare-choice" aria-label="Choose a session">
      {first.error && <Problem error={first.error} />}
      <form
        className="compare-by-id"
        onSubmit={(event) => {
          event.preventDefault();
          set({ [member]: id.trim() || undefined });
        }}
      >
        <div className="field">
          <label htmlFor="other">{a === '' ? 'Session' : `Session to compare with ${shortId(a)}`}</label>
          <input id="other" className="id" value={id} onChange={(event) => setId(event.target.value)} />
        </div>
        <button type="submit" className="primary">
          Compare
        </button>
      </form>
      <Offered
        machineName={first.data?.machineName}
        besides={a}
        onChoose={(chosen) => set({ [member]: chosen })}
      />
    </section>
  );
}

interface OfferedProps {
  readonly machineName: Session['machineName'] | undefined;
  readonly besides: string;
  readonly onChoose: (sessionId: string) => void;
}

function Offered({ machineName, besides, onChoose }: OfferedProps) {
  const { data } = useQuery({
    queryKey: ['sessions', 'offered', machineName],
    queryFn: () => server().listSessions({ limit: OFFERED + 1, ...(machineName && { machineName }) }),
  });
  const offered = data?.items.filter(({ sessionId }) => sessionId !== besides) ?? [];
  if (offered.length === 0) return null;
  return (
    <>
      <p className="dim">{machineName ? `The latest of ${machineName}:` : 'The latest:'}</p>
      <ul className="compare-offers">
        {offered.slice(0, OFFERED).map(({ sessionId, currentState, metaJson }) => (
          <li key={sessionId}>
            <button type="button" className="link-button id" onClick={() => onChoose(sessionId)}>
              {shortId(sessionId)}
            </button>{' '}
            {currentState} <span className="dim">{subjectOf(metaJson)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
