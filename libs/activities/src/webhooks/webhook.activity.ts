import type { Activity } from '#lib/activity';
import { type WebhookCall, webhookCallRules } from '#lib/calls';
import type { WebhookCaller } from './webhook-caller.js';

/** Calls webhooks of specialists over HTTP. */
export function webhookActivity(webhooks: WebhookCaller): Activity {
  return {
    ...webhookCallRules,
    // An address that is refused is a failure of the call: names resolve when it is made.
    preflight: () => undefined,
    perform: async (request, { signal }) => {
      const { url, machineName, tokenName, requestBody, timeoutMs } = request as WebhookCall;
      const call = { url, machineName, webhookTokenName: tokenName, body: requestBody, timeoutMs };
      const outcome = await webhooks.call(call, signal);
      if (outcome.kind === 'completed') return { completed: outcome.reply };
      const { failure, received } = outcome;
      return { failed: { failure: { ...failure }, ...(received && { received }) } };
    },
  };
}
