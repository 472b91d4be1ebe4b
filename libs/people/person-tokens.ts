import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventLog } from '#lib/event-store';
import { fold, jsonText, sha256 } from '#lib/kernel';
import { personDecider, type PersonState } from './people.decider.js';
import type { PersonEvent } from './people.events.js';

/** Characters. */
export const LONGEST_TOKEN = 256;

/**
 * Tokens `<personId>.<secret>`. The secret is derived from the person and the command that made it, so that a repeat of the command gets the
 * same token although only the hash is stored. The person's stream decides whether a token is valid: a token that was replaced or deleted
 * ends at once, in every process.
 */
export class PersonTokens {
  /** @param secret the server's own token; without one a secret of the log */
  constructor(
    private readonly secret: string,
    private readonly log: EventLog,
  ) {}

  tokenFor(personId: string, commandId: string): string {
    const made = createHmac('sha256', this.secret).update(jsonText(['person', personId, commandId]));
    return `${personId}.${made.digest('base64url')}`;
  }

  hashOf(token: string): string {
    return sha256(token);
  }

  /**
   * The registered person of this id.
   * @param position at which they must have been registered already: after a deletion another person may have the id
   */
  async find(personId: string, position?: string): Promise<PersonState> {
    const events = await this.log.readStream<PersonEvent>(this.log.streams.of('person', personId));
    const registered = events.findLast(({ type }) => type === 'PersonRegistered');
    const isLater = position !== undefined && registered !== undefined && registered.position > position;
    return isLater ? undefined : fold(personDecider, events);
  }

  /** The person with this token; `undefined` for any other text. */
  async personOf(token: string): Promise<NonNullable<PersonState> | undefined> {
    const dot = token.lastIndexOf('.');
    if (dot <= 0 || token.length > LONGEST_TOKEN) return undefined;
    const person = await this.find(token.slice(0, dot));
    return person && isHashOf(person.tokenHash, token) ? person : undefined;
  }
}

/** Takes the same time for every token. */
export function isHashOf(hash: string, token: string): boolean {
  const shown = sha256(token);
  return hash.length === shown.length && timingSafeEqual(Buffer.from(hash), Buffer.from(shown));
}
