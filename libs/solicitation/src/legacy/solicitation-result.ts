import type { CloseSolicitation } from '#lib/session';
import type { SolicitationEvent } from './solicitation.events.js';

/**
 * What the end of a solicitation says to its session; `undefined` for an event that ends none.
 * What was found about arguments stays in the solicitation.
 */
export function solicitationResult(end: SolicitationEvent): CloseSolicitation['data']['result'] | undefined {
  if (end.type === 'SolicitationFailed') return end.data;
  if (end.type !== 'SolicitationSucceeded') return undefined;
  const {
    rung: _r,
    argumentsMalformed: _m,
    argumentsText: _t,
    argumentErrors: _e,
    argumentErrorCount: _c,
    ...choice
  } = end.data;
  return { choice };
}
