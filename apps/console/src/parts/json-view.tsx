import { useState } from 'react';

/** Characters that are shown before a person asks for more: a very long text can keep a browser busy. */
const SHOWN = 4_000;
const SHOWN_ITEMS = 50;
const DEPTH = 6;

/** A JSON value for people: names and values, texts without quotes. */
export function Readable({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }) {
  if (typeof value === 'string') return <LongText text={value} />;
  if (typeof value !== 'object' || value === null) return <span className="number">{String(value)}</span>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="dim">{Array.isArray(value) ? 'none' : 'empty'}</span>;
  if (depth >= DEPTH) return <LongText text={JSON.stringify(value)} />;
  return Array.isArray(value) ? (
    <ol className="readable-list">
      {value.slice(0, SHOWN_ITEMS).map((item: unknown, index) => (
        <li key={index}>
          <Readable value={item} depth={depth + 1} />
        </li>
      ))}
      {value.length > SHOWN_ITEMS && <li className="dim">{value.length - SHOWN_ITEMS} more: see Raw</li>}
    </ol>
  ) : (
    <dl className="readable">
      {entries.map(([name, member]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Readable value={member} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text with its line ends; a long one is cut until a person asks for more. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN;
  return (
    <span className="long-text">
      {isCut ? text.slice(0, SHOWN) : text}
      {isCut && (
        <button type="button" className="quiet-button" onClick={() => setIsWhole(true)}>
          Show all {Math.ceil(text.length / 1024)} kB
        </button>
      )}
    </span>
  );
}

/** A value as JSON. */
export function Raw({ value }: { readonly value: unknown }) {
  return (
    <pre className="raw" tabIndex={0} aria-label="JSON">
      <LongText text={JSON.stringify(value, null, 2)} />
    </pre>
  );
}
