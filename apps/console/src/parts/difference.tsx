import { changesOf } from './changes.js';
import { Readable } from './json-view.js';

/** Two JSON values as the list of their differences. */
export default function Difference({ before, after }: { readonly before: object; readonly after: object }) {
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className="dim">No difference: the same request once more.</p>;
  return (
    <ul className="changes">
      {changes.map(({ pointer, before: old, after: now }, index) => (
        <li key={index}>
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
