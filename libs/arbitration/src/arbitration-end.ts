import type { CloseArbitration } from '#lib/session';
import type { ArbitrationEvent } from './arbitration.events.js';

/** What the end of an arbitration says to its session; `undefined` for an event that ends none. */
export function arbitrationEnd(end: ArbitrationEvent): CloseArbitration['data']['result'] | undefined {
  switch (end.type) {
    case 'VerdictReached':
      return { verdict: end.data };
    case 'VerdictFailed':
      return { failure: end.data.failure };
    default:
      return undefined;
  }
}
