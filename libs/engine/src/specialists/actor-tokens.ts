import { createHmac } from 'node:crypto';

/**
 * Tokens that prove who acts as a human. A token follows from the registration's command and a secret, so that a repeat of
 * the same call is answered with the same token although only its hash was stored.
 */
export class ActorTokens {
  /** @param secret the server's own token, or something random where there is none */
  constructor(private readonly secret: string) {}

  tokenFor(commandId: string): string {
    return createHmac('sha256', this.secret).update(`actor:${commandId}`).digest('base64url');
  }
}
