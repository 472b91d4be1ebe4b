import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useAddress } from '../app/address.js';

/** A session, run or conversation, now or at the time in the address. */
export interface AtMoment<Thing> {
  /** The time for the API, which lists take, too; empty for now. */
  readonly at: { readonly at?: string };
  readonly shown: UseQueryResult<Thing>;
  /** The current revision; `undefined` until it is known. */
  readonly last: number | undefined;
}

/** @param key names the object */
export function useMoment<Thing extends { readonly revision: number }>(
  key: readonly string[],
  read: (at: { readonly at?: string }) => Promise<Thing>,
): AtMoment<Thing> {
  const { at } = useAddress();
  const now = useQuery({ queryKey: key, queryFn: () => read({}) });
  const past = useQuery({
    queryKey: [...key, 'at', at],
    queryFn: () => read(at === undefined ? {} : { at }),
    enabled: at !== undefined,
    // The slider moves over a page that stays.
    placeholderData: keepPreviousData,
  });
  const given = at === undefined ? {} : { at };
  return { at: given, shown: at === undefined ? now : past, last: now.data?.revision };
}
