const FORM = /^([A-Z][A-Z0-9_]{0,100}_)?(WEB)?HOOK_TOKEN$/;

/**
 * Whether a variable's name is allowed for the token of a webhook. A registration also names the URL to which the value is sent: if any name
 * were allowed, a registration could send every secret of the process to its URL.
 */
export function isWebhookTokenName(name: string): boolean {
  return FORM.test(name);
}

/** The fix in the message about a refused name. */
export const WEBHOOK_TOKEN_FORM =
  'Name a variable in capitals that is, or ends in, WEBHOOK_TOKEN or HOOK_TOKEN, such as REFUNDS_WEBHOOK_TOKEN';

/** The reason why a text is not the address of a webhook; `undefined` if it is one. The host that it leads to is checked when it is called. */
export function webhookUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with http or https';
  return username === '' && password === '' ? undefined : 'must not hold credentials';
}
