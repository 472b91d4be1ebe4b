import type { SolicitationFailure } from '#lib/session';
import type { ActivityFailure } from '#lib/legacy-workflow';

/** An activity that came to nothing, as the end of a solicitation says it. */
export function activityFailure({ kind, message }: ActivityFailure): SolicitationFailure {
  return { kind: kind === 'unusable' ? 'unusable-reply' : kind, message };
}
