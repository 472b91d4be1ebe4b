import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';

const PAGE = 100;

/** One page of a list of the API. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  /** How many streams are missing in the list, or old. Absent: none. */
  readonly standsStill?: number;
}

/** The part of a list that has been read. */
export interface PagedList<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** How many streams are missing in it, or old. */
  readonly standsStill: number;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/**
 * A list that is read page by page.
 * @param key names the list with its filters
 */
export function usePages<Item>(
  key: readonly unknown[],
  read: (page: { limit: number; cursor?: string }) => Promise<ListPage<Item>>,
): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read({ limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: ListPage<Item>) => nextCursor ?? undefined,
    // While a filter is typed, the earlier list stays.
    placeholderData: (before: InfiniteData<ListPage<Item>, string | undefined> | undefined) => before,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    isLoading: query.isPending,
    error: query.error,
    standsStill: query.data?.pages.at(-1)?.standsStill ?? 0,
    hasMore: query.hasNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
  };
}

/** A list that is short enough to be read whole. */
export function useWholeList<Item>(
  key: readonly unknown[],
  read: () => Promise<Pick<ListPage<Item>, 'items' | 'standsStill'>>,
): PagedList<Item> {
  const { data, isPending, error } = useQuery({ queryKey: key, queryFn: read });
  const standsStill = data?.standsStill ?? 0;
  return { ...wholeList(data?.items ?? []), standsStill, isLoading: isPending, error };
}

/** A list whose items are known already. */
export function wholeList<Item>(items: readonly Item[]): PagedList<Item> {
  return { items, isLoading: false, error: null, standsStill: 0, hasMore: false, loadMore: () => undefined };
}
