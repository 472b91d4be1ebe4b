import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Search } from '../app/search-params.js';

/** Tabs whose selection is in the URL; the first one is the default. */
export function Tabs({ tabs }: { readonly tabs: { readonly [name: string]: () => ReactNode } }) {
  const names = Object.keys(tabs);
  const [first = ''] = names;
  const search: { readonly tab?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const shown = names.find((name) => name.toLowerCase() === search.tab) ?? first;
  const select = (name: string) =>
    void navigate({
      to: '.',
      search: (before: Search) => ({ ...before, tab: name === first ? undefined : name.toLowerCase() }),
    });
  return (
    <Radix.Root value={shown} onValueChange={select} activationMode="manual">
      <Radix.List className="tabs" aria-label="Views">
        {names.map((name) => (
          <Radix.Trigger key={name} value={name} className="tab">
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {names.map((name) => (
        <Radix.Content key={name} value={name} className="tab-content">
          {name === shown && tabs[name]?.()}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
