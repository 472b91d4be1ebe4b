const FORM = /^([A-Z][A-Z0-9_]{0,100}_)?(WEB)?HOOK_TOKEN$/;

/**
 * Whether a variable may be named as the token of a webhook. A registration names the URL to which the value is sent, too: with any
 * name allowed, it could have every secret of the process sent there.
 */
export function isWebhookTokenName(name: string): boolean {
  return FORM.test(name);
}

/** The fix in the message about a refused name. */
export const WEBHOOK_TOKEN_FORM =
  'Name a variable in capitals that is, or ends in, WEBHOOK_TOKEN or HOOK_TOKEN, such as REFUNDS_WEBHOOK_TOKEN';
