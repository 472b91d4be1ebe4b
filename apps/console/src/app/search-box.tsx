import { useLocation, useNavigate } from '@tanstack/react-router';
import { useAddress, useFieldOf } from './address.js';
import { placeOf } from './find.js';
import type { Search } from './search-params.js';
import { useShortcuts } from './shortcuts.js';

/** The filters that a search sets; an empty search removes them. */
const NONE = { idPrefix: undefined, key: undefined, tag: undefined };

/** Opens the page of a whole id, or a list of items with this beginning of an id, key or tag. */
export function SearchBox() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { idPrefix, key, tag } = useAddress();
  const shown = idPrefix ?? key ?? tag ?? '';
  const field = useFieldOf(shown);
  useShortcuts({ '/': () => field.current?.focus() });
  const search = async (text: string) => {
    if (text === '') await navigate({ to: '.', search: (before: Search) => ({ ...before, ...NONE }) });
    else await navigate(await placeOf(text, pathname));
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
        type="search"
        aria-label="Search"
        placeholder="Id, key or tag"
        defaultValue={shown}
        onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
      />
    </form>
  );
}
