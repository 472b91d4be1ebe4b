import type { CallOptions } from '#lib/engine';
import type { Profile } from './profiles.js';

/** The other end of a connection: a model, for whom its operator has chosen a profile and, at most, a person to act as. */
export interface Connection {
  readonly profile: Profile;
  /** Proves who acts. It comes with the connection, never from a tool's arguments. */
  readonly actorToken?: string;
}

/**
 * How far a call of this connection is trusted: acting as a human takes that person's token, and only a person who operates
 * may take part in a round that waits for one. An operator without a token decides such a round by `execute_transition` alone,
 * which is recorded as the operator's.
 */
export function trustOf({ profile, actorToken }: Connection): Pick<CallOptions, 'proof' | 'leaveToPeople'> {
  return {
    proof: actorToken === undefined ? {} : { actorToken },
    leaveToPeople: profile !== 'operate' || actorToken === undefined,
  };
}

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * The person's token that a request over HTTP brings: `Redial-Actor-Token`, or, where the server has no token of its own, the bearer.
 */
export function actorTokenOf(
  headers: { readonly authorization?: string; readonly actorToken?: string },
  hasServerToken: boolean,
): string | undefined {
  if (headers.actorToken !== undefined || hasServerToken) return headers.actorToken;
  return BEARER.exec(headers.authorization ?? '')?.[1];
}
