import type { CommandOptions } from '#lib/engine';
import type { Actor, Role } from '#lib/operations';
import { leastOf, type Profile } from './profiles.js';

/** The other end of a connection: a model, for whom its operator has chosen a profile and, at most, a person to act as. */
export interface Connection {
  readonly profile: Profile;
  /** In the log: a person's id. Default: `operator`. */
  readonly actor?: string;
  /** Proves who acts. It comes with the connection, never from a tool's arguments. */
  readonly actorToken?: string;
}

/**
 * How far a call of this connection is trusted: acting as a human takes that person's token, and only a person who operates
 * may take part in a round that waits for one. An operator without a token decides such a round by `execute_transition` alone,
 * which is recorded as the operator's.
 */
export function trustOf({ profile, actor, actorToken }: Connection): Omit<CommandOptions, 'idempotencyKey'> {
  return {
    ...(actor !== undefined && { actor }),
    proof: actorToken === undefined ? {} : { actorToken },
    leaveToPeople: profile !== 'operate' || actorToken === undefined,
  };
}

/** The most that a person may do over MCP, under any profile of the server. */
const MOST: { readonly [role in Role]: Profile } = {
  viewer: 'observe',
  reviewer: 'propose',
  operator: 'operate',
};

/** The connection of a caller whom the server has admitted. */
export function connectionOf({ actor, role, proof }: Actor, profile: Profile): Connection {
  const actorToken = proof?.actorToken;
  return {
    profile: leastOf(profile, MOST[role]),
    actor,
    ...(actorToken !== undefined && { actorToken }),
  };
}
