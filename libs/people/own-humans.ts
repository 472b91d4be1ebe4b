import type { EventLog } from '#lib/event-store';
import { ownMember } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { isHashOf, LONGEST_TOKEN } from './person-tokens.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * The humans of a machine that came with its session, unless they name a person. They are not registered as people: they act in that session
 * alone, by the token that was given with it, and their ids in the log name that session.
 */
export class OwnHumans {
  constructor(private readonly log: EventLog) {}

  /** The id of the human of a session with this token; `undefined` for any other token. */
  async provenBy(token: string, sessionId: string): Promise<string | undefined> {
    if (!UUID.test(sessionId) || token.length > LONGEST_TOKEN) return undefined;
    const specialistId = token.slice(0, Math.max(0, token.lastIndexOf('.')));
    const session = (await this.log.load<SessionEvent>(this.log.streams.of('session', sessionId))).state(
      sessionDecider,
    );
    const hash = ownMember(session?.actorTokenHashes, specialistId);
    return hash !== undefined && isHashOf(hash, token) ? ownHumanId(specialistId, sessionId) : undefined;
  }
}

/** The id of such a human as an author. It names the session, so that no registered person has it by chance. */
export function ownHumanId(specialistId: string, sessionId: string): string {
  return `${specialistId}@${sessionId}`;
}

/** Whether an author is such a human of this session. Ids of registered people may hold `@` too. */
export function isOwnHumanOf(personId: string, sessionId: string): boolean {
  return personId.endsWith(ownHumanId('', sessionId));
}
