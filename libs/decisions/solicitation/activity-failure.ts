import type { ActivityFailure } from '#lib/workflow';
import type { SolicitationFailure } from '#lib/decisions/session';

/** The failure of a call as the end of a solicitation records it. */
export function activityFailure({ kind, message }: ActivityFailure): SolicitationFailure {
  return { kind: failureKind(kind), message };
}

/** A failure without a rule in the ladder, such as a limit of the runtime, is `internal`. */
export function failureKind(kind: string): SolicitationFailure['kind'] {
  if (kind === 'unusable') return 'unusable-reply';
  return KINDS.find((known) => known === kind) ?? 'internal';
}

const KINDS: readonly SolicitationFailure['kind'][] = [
  'network',
  'timeout',
  'interrupted',
  'http-error',
  'unusable-reply',
  'refusal',
  'length',
  'content-filter',
  'unreadable-decision',
  'invalid-choice',
  'invalid-arguments',
  'template-too-large',
  'budget',
  'function',
  'workflow',
];
