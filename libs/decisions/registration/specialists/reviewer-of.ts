import type { Reviewer, Reviewers } from '#lib/people/core';
import { type CommandContext, childContext } from '#lib/operations/core';
import type { SpecialistRegistration } from '#lib/decisions/specialists';

/** The person of a human specialist that names none, registered with it if there is none. */
export async function reviewerOf(
  { specialistId, isHuman, personId }: SpecialistRegistration,
  reviewers: Reviewers,
  context: CommandContext,
): Promise<Reviewer> {
  if (!isHuman || personId !== undefined) return { position: undefined };
  return reviewers.ensure(specialistId, childContext(context, `person-${specialistId}`));
}
