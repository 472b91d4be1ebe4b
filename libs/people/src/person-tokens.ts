import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EventLog } from '#lib/event-store';
import { fold, sha256 } from '#lib/kernel';
import { personDecider, type PersonState } from './people.decider.js';
import type { PersonEvent } from './people.events.js';

/**
 * Tokens `<personId>.<secret>`. The secret follows from the command that made it, so that a repeat of the command is answered
 * with the same token although only the hash is stored. The person's own stream says whether a token is valid: a token that was
 * replaced or deleted ends at once, in every process.
 */
export class PersonTokens {
  /** @param secret the server's own token, or something random if there is none */
  constructor(
    private readonly secret: string,
    private readonly log: EventLog,
  ) {}

  tokenFor(personId: string, commandId: string): string {
    const made = createHmac('sha256', this.secret).update(`person:${commandId}`).digest('base64url');
    return `${personId}.${made}`;
  }

  hashOf(token: string): string {
    return sha256(token);
  }

  /** The person whose token this is; `undefined` for everything else. */
  async personOf(token: string): Promise<NonNullable<PersonState> | undefined> {
    const dot = token.lastIndexOf('.');
    if (dot <= 0 || token.length > 256) return undefined;
    const stream = this.log.streams.of('person', token.slice(0, dot));
    const person = fold(personDecider, await this.log.readStream<PersonEvent>(stream));
    return person && equal(person.tokenHash, this.hashOf(token)) ? person : undefined;
  }
}

function equal(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
