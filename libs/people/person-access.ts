import { createHash, timingSafeEqual } from 'node:crypto';
import { reject, type Rejection } from '#lib/kernel';
import {
  Access,
  type Actor,
  checkRole,
  type Introduction,
  notTheAuthor,
  OPERATOR,
  refuse,
  type Role,
} from '#lib/operations/core';
import type { Operation } from '#lib/operations';
import { cannotAct } from './acting-person.js';
import type { OwnHumans } from './own-humans.js';
import type { PersonTokens } from './person-tokens.js';

/** A caller whom a token proves to be a person. */
interface Acting {
  readonly personId: string;
  readonly role: Role;
}

/**
 * Admits callers by the server's token, which is an operator's, or by a person's own token. Without a server token a caller without a
 * person's token is an operator: such a server is reached from its own machine alone.
 */
export class PersonAccess extends Access {
  constructor(
    private readonly tokens: PersonTokens,
    private readonly ownHumans: OwnHumans,
    private serverToken: string | undefined,
  ) {
    super();
  }

  override askFor(serverToken: string): void {
    this.serverToken = serverToken;
  }

  /**
   * The actor's token names the actor, the bearer's gives the rights: a viewer stays a viewer, and without a bearer the actor's rights count.
   */
  override async admit({ access }: Pick<Operation, 'access'>, caller: Introduction): Promise<Actor> {
    const { credentials, proof } = caller;
    const bearer = credentials && (await this.#bearer(credentials.bearer));
    const shown = (credentials ?? proof)?.actorToken;
    const acting = shown === undefined ? undefined : await this.#acting(shown, caller.sessionId);
    const role = credentials ? rightsOf(bearer, acting) : 'operator';
    checkRole(role, access);
    const person = acting ?? (bearer === 'server' ? undefined : bearer);
    if (person) return { actor: person.personId, role, standing: 'person' };
    const mustProve = proof !== undefined || bearer === 'server';
    const actor = credentials ? OPERATOR : namedActor(caller.actor ?? OPERATOR);
    return { actor, role, standing: mustProve ? 'operator' : 'trusted' };
  }

  override async checkStandIn({ actor, standing }: Actor, personId: string): Promise<void> {
    const isThemselves = this.serverToken === undefined && standing === 'person' && actor === personId;
    if (standing !== 'trusted' && !isThemselves) refuse(notTheAuthor('/actAs'));
    const refusal = cannotAct(personId, await this.tokens.find(personId));
    if (refusal) refuse(refusal);
  }

  /** The owner of the bearer's token: the server or a person; `undefined` if there is none and the server has no token. */
  async #bearer(bearer: string | undefined): Promise<'server' | Acting | undefined> {
    if (bearer !== undefined && this.serverToken !== undefined && isEqual(bearer, this.serverToken))
      return 'server';
    const person = bearer === undefined ? undefined : await this.tokens.personOf(bearer);
    if (person || this.serverToken === undefined) return person;
    const fix = 'Send Authorization: Bearer with the value of REDIAL_API_TOKEN, or with your own token';
    return refuse(unauthorized('it has no token of this server or of a person', fix));
  }

  async #acting(token: string, sessionId: unknown): Promise<Acting> {
    const person = await this.tokens.personOf(token);
    if (person) return person;
    const human = typeof sessionId === 'string' ? await this.ownHumans.provenBy(token, sessionId) : undefined;
    if (human !== undefined) return { personId: human, role: 'reviewer' };
    const fix =
      'Send the token of the person who acts, or no Redial-Actor-Token; an operator can give them a new one';
    return refuse(unauthorized('its Redial-Actor-Token is not the token of a person', fix));
  }
}

/** An actor that code names. Events and rows hold it, and PostgreSQL takes no NUL. */
function namedActor(actor: string): string {
  const message = 'must have no control characters and no halves of surrogate pairs';
  const text = { what: 'the actor', why: `it ${message}`, fix: 'Name it in plain text' };
  if (/[\p{Cc}\p{Surrogate}]/u.test(actor))
    refuse(reject('malformed', 'malformed-request', text, [{ path: '/actor', message }]));
  return actor;
}

function rightsOf(bearer: 'server' | Acting | undefined, acting: Acting | undefined): Role {
  if (acting?.role === 'viewer') return 'viewer';
  if (bearer === 'server') return 'operator';
  return bearer?.role ?? acting?.role ?? 'operator';
}

/** Digests have the same length for every text: the time of the comparison reveals nothing about the token. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function unauthorized(why: string, fix: string): Rejection {
  return reject('unauthorized', 'unauthorized', { what: 'the request', why, fix });
}
