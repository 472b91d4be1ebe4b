import type { Activity, RunGiven } from '#lib/workflow';
import { referred, type WebhookCallRequested, webhookCallRules } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { WebhookCaller } from './webhook-caller.js';

type Request = WebhookCallRequested['data'];

/** Calls webhooks of specialists over HTTP. */
export function webhookActivity(webhooks: WebhookCaller): Activity<RunGiven> {
  return {
    ...webhookCallRules,
    // A refused address is a failure of the call, because names are resolved when the call is made.
    preflight: () => undefined,
    perform: async (request, { signal }, given) => {
      const { url, machineName, tokenName, timeoutMs } = request as JsonObject & Request;
      const body = referred(request, 'requestBody', given) as JsonObject;
      const call = { url, machineName, webhookTokenName: tokenName, body, timeoutMs };
      const outcome = await webhooks.call(call, signal);
      if (outcome.kind === 'completed') return { completed: outcome.reply };
      const { failure, received } = outcome;
      return { failed: { failure: { ...failure }, ...(received && { received }) } };
    },
  };
}
