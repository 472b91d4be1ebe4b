import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useAddress } from './address.js';
import { pageOfId } from './find-by-id.js';
import type { Search } from './search-params.js';
import { useShortcuts } from './shortcuts.js';

/** Leads to what a whole id names, or to the sessions whose ids begin so. */
export function SearchBox() {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { q = '' } = useAddress();
  useShortcuts({ '/': () => field.current?.focus() });
  const search = async (text: string) => {
    // A server that cannot be asked says so on the page of the list.
    const page = await pageOfId(text).catch(() => undefined);
    if (page === undefined)
      await navigate({ to: '/sessions', search: (before: Search) => ({ ...before, q: text || undefined }) });
    else await navigate({ to: page });
  };
  return (
    <form
      role="search"
      className="search"
      onSubmit={(event) => {
        event.preventDefault();
        void search(field.current?.value.trim() ?? '');
      }}
    >
      <input
        ref={field}
        key={q}
        type="search"
        aria-label="Search"
        placeholder="Search by id"
        defaultValue={q}
        onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
      />
    </form>
  );
}
