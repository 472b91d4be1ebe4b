import { Webhook } from 'standardwebhooks';
import type { Redactor, WebhookTokens } from '#lib/activities';

/** 24 bytes and more, in base64. */
const FORM = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** The secrets of hooks, among the variables of the process. They are read at every use. */
export class HookSecrets {
  /** @param redactor learns the secrets that are used */
  constructor(
    private readonly tokens: WebhookTokens,
    private readonly redactor: Redactor,
  ) {}

  /** @returns what signs with it, or why there is none */
  signer(secretName: string): Webhook | string {
    const secret = this.tokens.named(secretName);
    if (secret === '') return `the variable ${secretName} is not set in this process`;
    this.redactor.learn([secret, secret.slice('whsec_'.length)]);
    if (FORM.test(secret)) return new Webhook(secret);
    return `the variable ${secretName} holds no secret of Standard Webhooks: whsec_ and 24 bytes or more in base64`;
  }
}
