import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Search } from './search-params.js';

/** The id in the address of a page. */
export function useId(): string {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  return id;
}

/** The search part of the address, which holds filters, tab and selection. */
export function useAddress(): Search {
  return useSearch({ strict: false });
}

/**
 * Changes members of the search part; `undefined` removes one. Typing replaces the entry of the browser's history, and selecting adds one.
 */
export function useSetAddress(): (change: Search, how?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (change, { replace = false } = {}) =>
      void navigate({ to: '.', search: (before: Search) => ({ ...before, ...change }), replace }),
    [navigate],
  );
}

/** A field that shows a value of the address; it keeps the focus when that changes. */
export function useFieldOf(value: string): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return field;
}
