import type { Actor, CommandOptions, Credentials, Role } from '#lib/operations/core';
import { leastOf, type Profile } from './profiles.js';
import type { Shown } from './tool-groups.js';

/** The other end of a connection: a model, for whom its operator has chosen a profile and, at most, a person to act as. */
export interface Connection extends Shown {
  readonly profile: Profile;
  /** The specialists in whose names it may state proposals. Default: none. */
  readonly as?: readonly string[];
  /** In the log: a person's id. Default: `operator`. */
  readonly actor?: string;
  /** The token of the person who acts. It comes with the connection, never from a tool's arguments. */
  readonly actorToken?: string;
}

/**
 * The rights of a call of this connection. Acting as a human needs that person's token. Because a model calls, rounds and questions that
 * wait for people are left to them with any token: an operator decides such a round by `execute_transition` alone, which is recorded as the
 * operator's.
 */
export function trustOf({ actor, actorToken }: Connection): Omit<CommandOptions, 'idempotencyKey'> {
  return {
    ...(actor !== undefined && { actor }),
    proof: actorToken === undefined ? {} : { actorToken },
    leaveToPeople: true,
  };
}

/** The most that a person may do over MCP, under any profile of the server. */
const MOST: { readonly [role in Role]: Profile } = {
  viewer: 'observe',
  reviewer: 'propose',
  operator: 'operate',
};

/** The connection of a caller whom the server has admitted with these credentials. */
export function connectionOf(
  { actor, role, standing }: Actor,
  { bearer, actorToken = bearer }: Credentials,
  { profile, ...most }: Omit<Connection, 'actor' | 'actorToken'>,
): Connection {
  return {
    ...most,
    profile: leastOf(profile, MOST[role]),
    actor,
    ...(standing === 'person' && actorToken !== undefined && { actorToken }),
  };
}
