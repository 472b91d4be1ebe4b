import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.js';
import { server } from './server.js';

const PRINCIPAL = { queryKey: ['principal'], queryFn: () => server().getPrincipal() };

/** Asks before the page that waits for the answer is there. */
export function askPrincipal(): void {
  void queryClient.prefetchQuery(PRINCIPAL);
}

/** The caller, and their rights. */
export function usePrincipal() {
  return useQuery(PRINCIPAL);
}

/** Whether the caller may do what needs this role; what they may not do is not offered. */
export function useMay(role: 'reviewer' | 'operator'): boolean {
  const { data } = usePrincipal();
  return data?.role === 'operator' || data?.role === role;
}
