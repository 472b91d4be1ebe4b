import type { Operation } from '../declare/operation.js';

/** The rights of a caller: a viewer reads, a reviewer also decides as the specialists that name them, an operator does everything. */
export type Role = 'viewer' | 'reviewer' | 'operator';

/** The credentials of a caller at a door that is open to others. Never part of a command: the bus publishes commands. */
export interface Credentials {
  /** The token in the header `Authorization`. */
  readonly bearer?: string;
  /** Says who acts. */
  readonly actorToken?: string;
}

/** The caller. */
export interface Actor {
  /** In the log: `operator`, or a person's id. Keys are theirs alone. */
  readonly actor: string;
  readonly role: Role;
  /** Present for callers that must prove that they may act as a human. */
  readonly proof?: { readonly actorToken?: string };
}

/** Decides who may call an operation. Its adapter is a capability; without one every caller is an operator. */
export abstract class Access {
  /**
   * @param credentials absent for code of this process, which is trusted
   * @throws RejectionError `unauthorized` or `role`
   */
  abstract admit(operation: Pick<Operation, 'access' | 'id'>, credentials?: Credentials): Promise<Actor>;
}
