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
