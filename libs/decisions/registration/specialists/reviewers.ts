import type { Reviewer, Reviewers } from '#lib/people/core';
import { type CommandContext, childContext } from '#lib/operations/core';
import type { SpecialistRegistration } from '#lib/decisions/specialists';
import type { Problem } from '#lib/kernel';

/** The person of a human specialist that names none: registered with it if there is none yet. */
export async function reviewerOf(
  { specialistId, isHuman, personId }: SpecialistRegistration,
  reviewers: Reviewers,
  context: CommandContext,
): Promise<Reviewer> {
  if (!isHuman || personId !== undefined) return { position: undefined };
  return reviewers.ensure(specialistId, childContext(context, `person-${specialistId}`));
}

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
