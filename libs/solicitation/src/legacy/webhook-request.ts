import { delayBefore } from '#lib/calls';
import { nextCallId } from './next-call-id.js';
import type { ProposerMode, WebhookCallRequested, WebhookPurpose } from './solicitation.events.js';
import { toldContext } from './told-context.js';
import type { SolicitationState } from './solicitation.state.js';

/** Where the start event says nothing. */
const TIMEOUT_MS = 55_000;

/** One call of the proposer's webhook, which is told what a strategy or a context function would be told. */
export function webhookRequest(
  state: SolicitationState,
  purpose: WebhookPurpose,
  attempt: number,
  retryAfterMs?: number,
): WebhookCallRequested {
  const { proposer, policies } = state.start;
  return {
    type: 'WebhookCallRequested',
    data: {
      callId: nextCallId(state),
      purpose,
      attempt,
      delayMs: delayBefore(attempt, retryAfterMs),
      timeoutMs: policies.webhookTimeoutMs ?? TIMEOUT_MS,
      url: webhookUrl(proposer),
      requestBody: toldContext(state.start),
    },
  };
}

function webhookUrl(proposer: ProposerMode): string {
  if (proposer.kind === 'webhook') return proposer.strategyWebhookUrl;
  return proposer.kind === 'model' && 'contextWebhookUrl' in proposer.context
    ? proposer.context.contextWebhookUrl
    : '';
}
