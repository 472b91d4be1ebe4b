import { reject, type Rejection } from '#lib/kernel';
import { refuse } from '../write-side/rejection-error.js';

/** Each role has the rights of those with lower ones. */
const RIGHTS: { readonly [one in Role]: number } = { viewer: 0, reviewer: 1, operator: 2 };

/** @throws RejectionError `role` for a caller whose role lacks the rights of `needed` */
export function checkRole(role: Role, needed: Role): void {
  if (RIGHTS[role] < RIGHTS[needed]) refuse(roleTooLow(role, needed));
}

function roleTooLow(role: Role, needed: Role): Rejection {
  return reject('forbidden', 'role', {
    errorClass: 'RoleTooLow',
    what: 'the call',
    why: `it needs the role ${needed}, and the token is a ${role}'s`,
    fix: 'Use the token of a person with that role, or of the server',
  });
}
/** The rights of a caller: a viewer reads, a reviewer also decides as the specialists that name them, an operator does everything. */
export type Role = 'viewer' | 'reviewer' | 'operator';

/** In the log: the caller who shows no token of a person. */
export const OPERATOR = 'operator';

/** The credentials of a caller at a door that is open to others. Never part of a command: the bus publishes commands. */
export interface Credentials {
  /** The token in the header `Authorization`. */
  readonly bearer?: string;
  /** The token of the person who acts. */
  readonly actorToken?: string;
}

/**
 * The ground on which a caller is an author. `person`: a token proves the actor. `trusted`: no token is asked for, so the caller may also act as
 * a person whom it names: code of this process, and callers of a server without a token. `operator`: the caller is no person.
 */
export type Standing = 'person' | 'trusted' | 'operator';

/** The principal of a call. */
export interface Actor {
  /** In the log: `operator`, or the id of the person whose token was shown. Keys are theirs alone. */
  readonly actor: string;
  readonly role: Role;
  readonly standing: Standing;
}

/** The identity that a caller states, with its proof. */
export interface Introduction {
  /** Absent for code of this process. */
  readonly credentials?: Credentials;
  /** Present for callers that are not trusted: the token that they show, if any. */
  readonly proof?: { readonly actorToken?: string };
  /** The actor as code of this process gives it. Default: `operator`. */
  readonly actor?: string;
  /** The session that the call is about: humans of a machine that came with a session have tokens for that session alone. */
  readonly sessionId?: unknown;
}

/** Decides who may call an operation, and who is its author. Its adapter is a capability. */
export abstract class Access {
  /** From now on callers need this token, or that of a person. */
  abstract askFor(serverToken: string): void;

  /** @throws RejectionError `unauthorized` or `role` */
  abstract admit(
    operation: { readonly id: string; readonly access: Role },
    caller: Introduction,
  ): Promise<Actor>;

  /**
   * Checks that the principal may act as a person whom the body names.
   * @throws RejectionError `not-the-author` for callers who must prove who they are, `unknown-person`, `role`
   */
  abstract checkStandIn(principal: Actor, personId: string): Promise<void>;
}
