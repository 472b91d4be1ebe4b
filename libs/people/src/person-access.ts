import { createHash, timingSafeEqual } from 'node:crypto';
import { reject, type Rejection } from '#lib/kernel';
import { Access, type Actor, type Credentials, type Operation, refuse, type Role } from '#lib/operations';
import { ROLES } from './people.events.js';
import type { PersonTokens } from './person-tokens.js';

/**
 * Admits callers by the server's token, which is an operator's, or by a person's own. Without a server token a caller is an
 * operator unless they show a person's token: such a server is reached from its own machine alone.
 */
export class PersonAccess extends Access {
  constructor(
    private readonly tokens: PersonTokens,
    private readonly serverToken: string | undefined,
  ) {
    super();
  }

  override async admit({ access }: Pick<Operation, 'access'>, credentials?: Credentials): Promise<Actor> {
    if (!credentials) return { actor: 'operator', role: 'operator' };
    const { bearer, actorToken } = credentials;
    const { personId, role } = await this.#identify(bearer);
    if (ROLES.indexOf(role) < ROLES.indexOf(access)) refuse(roleTooLow(role, access));
    const shown = actorToken ?? (personId === undefined ? undefined : bearer);
    const mustProve = shown !== undefined || this.serverToken !== undefined;
    const proof = shown === undefined ? {} : { actorToken: shown };
    return { actor: personId ?? 'operator', role, ...(mustProve && { proof }) };
  }

  async #identify(bearer: string | undefined): Promise<{ readonly personId?: string; readonly role: Role }> {
    if (bearer !== undefined && this.serverToken !== undefined && isEqual(bearer, this.serverToken))
      return { role: 'operator' };
    const person = bearer === undefined ? undefined : await this.tokens.personOf(bearer);
    if (person) return person;
    return this.serverToken === undefined ? { role: 'operator' } : refuse(unauthorized());
  }
}

/** Digests are of equal length for every text: comparing them reveals nothing about the token. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function unauthorized(): Rejection {
  return reject('unauthorized', 'unauthorized', {
    what: 'the request',
    why: 'it came without the token of this server or of a person',
    fix: 'Send Authorization: Bearer with the value of REDIAL_API_TOKEN, or with your own token',
  });
}

function roleTooLow(role: Role, needed: Role): Rejection {
  return reject('forbidden', 'role', {
    errorClass: 'RoleTooLow',
    what: 'the call',
    why: `it needs the role ${needed}, and the token is a ${role}'s`,
    fix: 'Use the token of a person with that role, or of the server',
  });
}
