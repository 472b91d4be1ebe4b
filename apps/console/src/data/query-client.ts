import { notifyManager, QueryClient } from '@tanstack/react-query';
import { RedialProblem } from '#lib/client';

const LOAD_AGAIN = 2;

// Before the next event of the browser: a second click finds the button of the first one disabled.
notifyManager.setScheduler(queueMicrotask);

/** All data is read again when the log has new events: see `usePulse`. Refusals are answers, and are not requested again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < LOAD_AGAIN && !(error instanceof RedialProblem && error.status < 500),
    },
  },
});

/** For a query that is much work for the server: it is made when a person asks for it, and not again with new events. */
export const AS_ASKED = { staleTime: Infinity, meta: { isAsAsked: true } } as const;

/** Reads all data on the page again, except that of `AS_ASKED`. */
export function readAgain(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isAsAsked'] !== true });
}
