import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useAddress } from '../app/address.js';

/** A session, run or conversation as it is, or as it was at the time that the address names. */
export interface AtMoment<Thing> {
  /** The time as the API takes it, to be passed on to lists; empty for now. */
  readonly at: { readonly at?: string };
  readonly shown: UseQueryResult<Thing>;
  /** The revision of now; `undefined` until it is known. */
  readonly last: number | undefined;
}

/** @param key names the thing */
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
