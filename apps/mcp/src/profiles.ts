/** The rights of a connection, from least to most: read; take part in rounds that wait for no person; all rights of an operator. */
export const profiles = ['observe', 'propose', 'operate'] as const;

export type Profile = (typeof profiles)[number];

export function leastOf(one: Profile, other: Profile): Profile {
  return profiles.indexOf(one) < profiles.indexOf(other) ? one : other;
}
