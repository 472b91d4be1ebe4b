import { derivedId } from '#lib/kernel';
import type { SolicitationState } from './solicitation.state.js';

/** UUIDv5(solicitationId, n) for the n-th request of the solicitation, from 0. */
export function nextCallId({ start, requests }: SolicitationState): string {
  return derivedId(start.solicitationId, String(requests));
}
