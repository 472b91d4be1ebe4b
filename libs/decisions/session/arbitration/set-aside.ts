import type { VerdictSetAside } from '../session.events.js';

/** The reason why a timely verdict decides nothing, without an article. */
export function whySetAside(reason: VerdictSetAside['data']['reason']): string {
  return reason === 'untrusted'
    ? 'verdict names a proposal below the trust that is asked for'
    : 'verdict names no proposal that the arbiter was shown as the winner';
}
