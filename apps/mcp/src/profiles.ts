/** What a connection may do, from least to most: read; take part where no person is waited for; everything an operator may. */
export const profiles = ['observe', 'propose', 'operate'] as const;

export type Profile = (typeof profiles)[number];

interface Grant {
  /** The least profile that offers the operation; `observe` offers exactly those that only read. */
  readonly from: Profile;
  /** Whether it ends, removes or overrides something. */
  readonly destructive?: true;
}

const read: Grant = { from: 'observe' };
const propose: Grant = { from: 'propose' };
const destructive: Grant = { from: 'operate', destructive: true };

/** Each operation, by its MCP name. */
const grants = {
  get_session: read,
  get_sessions: read,
  get_session_at: read,
  get_session_events: read,
  get_llm_calls: read,
  get_proposals: read,
  evaluate_consensus: read,
  replay_session: read,
  create_session: propose,
  submit_proposal: propose,
  tick_session: propose,
  run_session: propose,
  // With a transition it forces one.
  submit_arbitration: destructive,
  execute_transition: destructive,
} as const satisfies { readonly [operation: string]: Grant };

export type OperationName = keyof typeof grants;

export function leastOf(one: Profile, other: Profile): Profile {
  return profiles.indexOf(one) < profiles.indexOf(other) ? one : other;
}

export function offers(profile: Profile, operation: OperationName): boolean {
  return profiles.indexOf(profile) >= profiles.indexOf(grants[operation].from);
}

export function onlyReads(operation: OperationName): boolean {
  return grants[operation].from === 'observe';
}

export function isDestructive(operation: OperationName): boolean {
  const grant: Grant = grants[operation];
  return grant.destructive === true;
}
