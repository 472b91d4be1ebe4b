import { QueryClient } from '@tanstack/react-query';
import { RedialProblem } from '#lib/client';

const LOAD_AGAIN = 2;

/** Everything is read again when the log has moved: see `usePulse`. Refusals are answers, and not asked for again. */
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

/** Of a query whose answer is much work for the server: it is asked when a person asks, and not again when the log has moved. */
export const AS_ASKED = { staleTime: Infinity, meta: { isAsAsked: true } } as const;

/** Reads everything again that is on the page, but for what people ask for. */
export function readAgain(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isAsAsked'] !== true });
}
