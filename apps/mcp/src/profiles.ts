/** What a connection may do, from least to most: read; take part where no person is waited for; everything an operator may. */
export const profiles = ['observe', 'propose', 'operate'] as const;

export type Profile = (typeof profiles)[number];

export function leastOf(one: Profile, other: Profile): Profile {
  return profiles.indexOf(one) < profiles.indexOf(other) ? one : other;
}
