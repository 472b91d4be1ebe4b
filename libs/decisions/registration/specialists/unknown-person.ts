import type { Problem } from '#lib/kernel';
import type { Reviewers } from '#lib/people/core';

/** A warning for a human specialist that names a person who is not registered yet. */
export async function unknownPersonWarnings(
  { personId }: { readonly personId?: string },
  reviewers: Reviewers,
  path = '',
): Promise<readonly Problem[]> {
  if (personId === undefined || (await reviewers.isRegistered(personId))) return [];
  const message = 'names a person who is not registered: this specialist cannot act before';
  return [{ path: `${path}/personId`, message }];
}
