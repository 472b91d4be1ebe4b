import { create } from 'jsondiffpatch';
import { Readable } from './json-view.js';

/** Items of lists are matched by their content. */
const differ = create({ objectHash: (item) => JSON.stringify(item) });

interface Change {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Two JSON values as the list of their differences. */
export default function Difference({ before, after }: { readonly before: object; readonly after: object }) {
  const changes = changesOf(differ.diff(before, after));
  if (changes.length === 0) return <p className="dim">No difference: the same request once more.</p>;
  return (
    <ul className="changes">
      {changes.map(({ pointer, before: old, after: now }) => (
        <li key={pointer}>
          <code>{pointer}</code>
          {old !== undefined && (
            <div className="removed">
              <span className="only-read">removed </span>
              <Readable value={old} />
            </div>
          )}
          {now !== undefined && (
            <div className="added">
              <span className="only-read">added </span>
              <Readable value={now} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The deltas of jsondiffpatch: `[new]`, `[old, new]`, `[old, 0, 0]`, moves `['', to, 3]`, and objects of deltas. */
function changesOf(delta: unknown, pointer = ''): readonly Change[] {
  if (Array.isArray(delta)) {
    const [first, second, kind] = delta as readonly unknown[];
    if (delta.length === 1) return [{ pointer, after: first }];
    if (delta.length === 2) return [{ pointer, before: first, after: second }];
    return kind === 0 ? [{ pointer, before: first }] : [];
  }
  if (typeof delta !== 'object' || delta === null) return [];
  return Object.entries(delta)
    .filter(([name]) => name !== '_t')
    .flatMap(([name, inner]) => changesOf(inner, `${pointer}/${name.replace(/^_/, '')}`));
}
