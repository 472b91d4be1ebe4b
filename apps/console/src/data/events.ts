import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RecordedEventView } from '#lib/client';
import type { ListPage } from './pages.js';
import { queryClient } from './query-client.js';

/** The first page is small, so that rows are shown soon; the rest is read in few requests. */
const FIRST = 100;
const MORE = 500;
/** Lists leave out the largest members of larger data, which are read when the event is opened. */
const MOST_BYTES = 65_536;

/** The events of a session, run or conversation that have been read. */
interface KnownEvents {
  readonly events: readonly RecordedEventView[];
  /** The number of them on full pages, and the cursor of the page after those. */
  readonly settled: number;
  readonly cursor?: string;
}

/** The query of a list of events: a page, or one event by `<stream>@<revision>`. */
type Asked =
  | { readonly limit: number; readonly cursor?: string; readonly maxDataBytes: number }
  | { readonly event: string };

type Read = (asked: Asked) => Promise<ListPage<RecordedEventView>>;

/** The events of a page, and the function that reads one of them whole. */
export interface Events {
  readonly list: UseQueryResult<Pick<KnownEvents, 'events'>>;
  readonly readWhole: (event: string) => Promise<RecordedEventView | undefined>;
}

/** Events never change: known ones are kept, and only the last page is read again. */
export function useEvents(key: readonly unknown[], read: Read): Events {
  const list = useQuery({
    queryKey: key,
    // Comparing a page of a long history with all of it would take long.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      let known: KnownEvents = queryClient.getQueryData<KnownEvents>(key) ?? { events: [], settled: 0 };
      let shown = known.events.length;
      for (;;) {
        const { settled, cursor } = known;
        const limit = cursor === undefined ? FIRST : MORE;
        const { items, nextCursor } = await read({
          limit,
          maxDataBytes: MOST_BYTES,
          ...(cursor !== undefined && { cursor }),
        });
        // Another reading continues from the shown events, or the page was left.
        signal.throwIfAborted();
        const events = [...known.events.slice(0, settled), ...items];
        if (nextCursor === null) return { ...known, events };
        known = { events, settled: events.length, cursor: nextCursor };
        // The events so far are shown while the rest is read. Each time all of them are folded, so their number doubles in between.
        if (settled > 0 && events.length < 2 * shown) continue;
        shown = events.length;
        // Stale at once: if the page is left now, the rest is read when it is opened again.
        queryClient.setQueryData(key, known, { updatedAt: 0 });
      }
    },
  });
  return { list, readWhole: async (event) => (await read({ event })).items[0] };
}
