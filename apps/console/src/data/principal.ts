import { useQuery } from '@tanstack/react-query';
import { server } from './server.js';

/** The caller, and their rights. */
export function usePrincipal() {
  return useQuery({ queryKey: ['principal'], queryFn: () => server().getPrincipal() });
}

/** Whether the caller may do what needs this role; what they may not do is not offered. */
export function useMay(role: 'reviewer' | 'operator'): boolean {
  const { data } = usePrincipal();
  return data?.role === 'operator' || data?.role === role;
}
