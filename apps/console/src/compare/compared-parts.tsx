import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../app/lazily.js';
import { Readable } from '../parts/json-view.js';
import { Loading } from '../parts/notice.js';
import type { Parts } from './run-parts.js';
import { Verdict } from './verdict.js';

/** Loaded when parts differ: the comparison of values is large. */
const Difference = lazyPart(() => import('../parts/difference.js'));

interface ComparedPartsProps {
  readonly a: Parts;
  readonly b: Parts;
  /** The headings of both sides. */
  readonly children: ReactNode;
}

/** Two objects side by side, part by part. */
export function ComparedParts({ a, b, children }: ComparedPartsProps) {
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const isSame = (name: string) => JSON.stringify(a.get(name)) === JSON.stringify(b.get(name));
  const different = names.filter((name) => !isSame(name)).length;
  return (
    <>
      <Verdict noun="part" all={names.length} different={different} />
      <div className="compared">
        {children}
        {names.map((name) => (
          <Part key={name} name={name} isSame={isSame(name)} a={a.get(name)} b={b.get(name)} />
        ))}
      </div>
    </>
  );
}

interface PartProps {
  readonly name: string;
  readonly isSame: boolean;
  readonly a: unknown;
  readonly b: unknown;
}

function Part({ name, isSame, a, b }: PartProps) {
  return (
    <section aria-label={name} className={isSame ? 'compared-step same' : 'compared-step'}>
      <h3>
        {name} <span className="dim">{isSame ? 'the same' : 'different'}</span>
      </h3>
      {isSame ? (
        <details className="compared-changes">
          <summary>Show</summary>
          <Readable value={a} />
        </details>
      ) : (
        <>
          <Cell side="a" value={a} />
          <Cell side="b" value={b} />
          <Changes a={a} b={b} />
        </>
      )}
    </section>
  );
}

function Cell({ side, value }: { readonly side: 'a' | 'b'; readonly value: unknown }) {
  if (value === undefined) return <p className={`compared-cell dim ${side}`}>None</p>;
  return (
    <div className={`compared-cell ${side}`}>
      <Readable value={value} />
    </div>
  );
}

/** Values with members have differences of their own. */
function Changes({ a, b }: Pick<PartProps, 'a' | 'b'>) {
  if (!hasMembers(a) || !hasMembers(b)) return null;
  return (
    <details className="compared-changes">
      <summary>Differences, member by member</summary>
      <Suspense fallback={<Loading />}>
        <Difference before={a} after={b} />
      </Suspense>
    </details>
  );
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
