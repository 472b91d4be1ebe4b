import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useAddress } from './address.js';
import type { Search } from './search-params.js';
import { useShortcuts } from './shortcuts.js';

/** Finds sessions by the first characters of their id. */
export function SearchBox() {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { q = '' } = useAddress();
  useShortcuts({ '/': () => field.current?.focus() });
  const search = (text: string) =>
    void navigate({
      to: '/sessions',
      search: (before: Search) => ({ ...before, q: text.trim() || undefined }),
    });
  return (
    <form
      role="search"
      className="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(field.current?.value ?? '');
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
