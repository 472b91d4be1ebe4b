import type { JsonObject } from '#lib/kernel';
import {
  type CloseSolicitation,
  mergeGiven,
  type SessionEvent,
  type SolicitationFailure,
} from '#lib/decisions/session';
import { isGivenUp, type RunEnd, runIdsIn, type RunRequests } from '#lib/workflow';
import { failureKind } from './activity-failure.js';
import type { SolicitationChoice, SolicitationLoss } from './solicitation.events.js';

const TAKEN: readonly string[] = [
  'ProposalSubmitted',
  'ProposalSetAside',
  'ProposalFailed',
] satisfies SessionEvent['type'][];

/** The requests of solicitations in sessions, and the records of their ends. A solicitation has the id of its run. */
export const solicitationRequests = {
  category: 'session',
  workflow: 'solicitation',
  askedBy: (event) => (event.type === 'ProposalSolicited' ? solicitationId(event.data) : undefined),
  takenBy: (event) => (TAKEN.includes(event.type) ? solicitationId(event.data) : undefined),
  withdrawnBy: ({ data }) => runIdsIn(data, 'endsSolicitations'),
} as const satisfies RunRequests;

function solicitationId(data: object): string | undefined {
  return 'solicitationId' in data && typeof data.solicitationId === 'string'
    ? data.solicitationId
    : undefined;
}

type Result = CloseSolicitation['data']['result'];

/** The result of a run for the session that asked. */
export function solicitationResult(end: RunEnd): Result {
  const result = resultBefore03(end);
  if (!('failure' in result) || !isGivenUp(end)) return result;
  return { ...result, failure: { ...result.failure, kind: 'given-up' } };
}

/**
 * The result as sessions recorded it before 0.3: the failure of a run that was given up has the kind `internal`. Problems of
 * arguments stay in the run. The members of a choice have the order of the proposal's event, which then holds them for the
 * command too.
 */
export function resultBefore03({ status, result, failure }: RunEnd): Result {
  if (status === 'completed') return { choice: mergeGiven(result as JsonObject & SolicitationChoice, {}) };
  const { upstreamStatus, costUSD } = (result ?? {}) as JsonObject & SolicitationLoss;
  const { kind, message } = failure ?? { kind: 'interrupted', message: 'The solicitation was cancelled.' };
  const said: SolicitationFailure = {
    kind: failureKind(kind),
    message,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  };
  return { failure: said, ...(costUSD !== undefined && { costUSD }) };
}
