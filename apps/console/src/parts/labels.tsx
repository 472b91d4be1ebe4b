import { Link } from '@tanstack/react-router';
import { TextFilter } from './filters.js';
import { Fact } from './page.js';
import { Badge } from './status.js';

/** The filters of lists whose items have an id, a key and tags. */
export function LabelFilters() {
  return (
    <div className="label-filters">
      <TextFilter name="idPrefix" label="Id begins with" />
      <TextFilter name="key" label="Key" />
      <TextFilter name="tag" label="Tag" placeholder="name:value" />
    </div>
  );
}

const ERASED = 'content erased';

/** The names that the maker of a session, run or conversation gave it. */
interface Labelled {
  readonly key?: string;
  readonly tags?: { readonly [name: string]: string };
  readonly erased?: boolean;
}

/** The key and the tags, each with a link to all items that have it, and whether the content was erased. */
export function Labels({ of, list }: { readonly of: Labelled; readonly list: string }) {
  const { key, tags = {}, erased = false } = of;
  return (
    <>
      {erased && <Badge tone="quiet">{ERASED}</Badge>}
      {key !== undefined && (
        <Fact name="Key">
          <Link to={list} search={{ key }}>
            {key}
          </Link>
        </Fact>
      )}
      {Object.entries(tags).map(([name, value]) => (
        <Fact key={name} name={name}>
          <Link to={list} search={{ tag: `${name}:${value}` }}>
            {value}
          </Link>
        </Fact>
      ))}
    </>
  );
}

/** Key, tags and erasure as one text, for a cell of a list. */
export function labelText({ key, tags = {}, erased = false }: Labelled): string {
  const pairs = Object.entries(tags).map(([name, value]) => `${name}:${value}`);
  return [...(key === undefined ? [] : [key]), ...pairs, ...(erased ? [ERASED] : [])].join(' · ');
}
