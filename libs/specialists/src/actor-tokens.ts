import { createHmac } from 'node:crypto';
import { sha256 } from '#lib/kernel';
import type { Call } from '#lib/operations';
import type { SpecialistState } from '#lib/specialist';

/**
 * Tokens that prove who acts as a human. A token follows from the registration's command and a secret, so that a repeat of
 * the same call is answered with the same token although only its hash was stored.
 */
export class ActorTokens {
  /** @param secret the server's own token, or something random where there is none */
  constructor(private readonly secret: string) {}

  /** The token of the human that a call registers; `undefined` for whom needs none. */
  proofFor({ commandId }: Call, isHuman = false): ActorProof | undefined {
    if (!isHuman) return undefined;
    return new ActorProof(createHmac('sha256', this.secret).update(`actor:${commandId}`).digest('base64url'));
  }
}

/** A token, and what is stored of it. */
class ActorProof {
  readonly stored: { readonly actorTokenHash: string };

  constructor(readonly token: string) {
    this.stored = { actorTokenHash: sha256(token) };
  }

  /** Whether it is this specialist's: after the secret has changed a repeated registration has another one. */
  isOf(specialist: SpecialistState): boolean {
    return specialist?.actorTokenHash === this.stored.actorTokenHash;
  }
}
