import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSetAddress } from '../app/address.js';
import { capital, shortId } from '../parts/format.js';
import { type Kind, latestOf } from './kinds.js';

interface ChooseProps {
  readonly a: string;
  readonly kind: Kind;
  /** The machine, workflow or agent of the first object. */
  readonly group: string | undefined;
}

/** Chooses the second object: one of the latest of the same machine, workflow or agent, or any by its id. */
export function Choose({ a, kind, group }: ChooseProps) {
  const set = useSetAddress();
  const [id, setId] = useState('');
  const member = a === '' ? 'a' : 'b';
  const title = capital(kind);
  return (
    <section className="card compare-choice" aria-label={`Choose a ${kind}`}>
      <form
        className="compare-by-id"
        onSubmit={(event) => {
          event.preventDefault();
          set({ [member]: id.trim() || undefined });
        }}
      >
        <div className="field">
          <label htmlFor="other">{a === '' ? title : `${title} to compare with ${shortId(a)}`}</label>
          <input id="other" className="id" value={id} onChange={(event) => setId(event.target.value)} />
        </div>
        <button type="submit" className="primary">
          Compare
        </button>
      </form>
      <Offered kind={kind} group={group} besides={a} onChoose={(chosen) => set({ [member]: chosen })} />
    </section>
  );
}

const OFFERED = 20;

interface OfferedProps extends Pick<ChooseProps, 'kind' | 'group'> {
  readonly besides: string;
  readonly onChoose: (id: string) => void;
}

function Offered({ kind, group, besides, onChoose }: OfferedProps) {
  const { data } = useQuery({
    queryKey: [`${kind}s`, 'offered', group],
    queryFn: () => latestOf(kind, OFFERED + 1, group),
  });
  const offered = data?.filter(({ id }) => id !== besides) ?? [];
  if (offered.length === 0) return null;
  return (
    <>
      <p className="dim">{group === undefined ? 'The latest:' : `The latest of ${group}:`}</p>
      <ul className="compare-offers">
        {offered.slice(0, OFFERED).map(({ id, status, about }) => (
          <li key={id}>
            <button type="button" className="link-button id" onClick={() => onChoose(id)}>
              {shortId(id)}
            </button>{' '}
            {status} <span className="dim">{about}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
