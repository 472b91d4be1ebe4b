import type { ProposerContext } from '#lib/session';
import type { SolicitationStarted } from './solicitation.events.js';

/** What templates, functions and webhooks are told: the context, and the exemplars where there are any. */
export function toldContext({ context, exemplars }: SolicitationStarted['data']): ProposerContext {
  return exemplars ? { ...context, exemplars } : context;
}
