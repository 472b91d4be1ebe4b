import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.js';
import { server } from './server.js';

const PRINCIPAL = { queryKey: ['principal'], queryFn: () => server().getPrincipal() };

/** Requested before the page that needs the answer is loaded. */
export function askPrincipal(): void {
  void queryClient.prefetchQuery(PRINCIPAL);
}

/** The caller, and their rights. */
export function usePrincipal() {
  return useQuery(PRINCIPAL);
}

/** Whether the caller has the rights of this role; actions beyond their rights are not offered. */
export function useMay(role: 'reviewer' | 'operator'): boolean {
  const { data } = usePrincipal();
  return data?.role === 'operator' || data?.role === role;
}
