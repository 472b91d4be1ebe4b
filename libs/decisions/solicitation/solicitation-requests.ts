import type { JsonObject } from '#lib/kernel';
import {
  type CloseSolicitation,
  mergeGiven,
  type SessionEvent,
  type SolicitationFailure,
} from '#lib/decisions/session';
import type { RunEnd, RunRequests } from '#lib/workflow';
import { failureKind } from './activity-failure.js';
import type { SolicitationChoice, SolicitationLoss } from './solicitation.events.js';

const TAKEN: readonly string[] = [
  'ProposalSubmitted',
  'ProposalSetAside',
  'ProposalFailed',
] satisfies SessionEvent['type'][];

/** How sessions ask for solicitations, and take in their ends. The id of the solicitation is that of its run. */
export const solicitationRequests: RunRequests = {
  category: 'session',
  workflow: 'solicitation',
  askedBy: (event) => (event.type === 'ProposalSolicited' ? solicitationId(event.data) : undefined),
  takenBy: (event) => (TAKEN.includes(event.type) ? solicitationId(event.data) : undefined),
};

function solicitationId(data: object): string | undefined {
  return 'solicitationId' in data && typeof data.solicitationId === 'string'
    ? data.solicitationId
    : undefined;
}

/**
 * The result of a run for the session that asked. Problems of arguments stay in the run. The members of a choice are in the order
 * of the proposal's event, which then holds them for the command too.
 */
export function solicitationResult({ status, result, failure }: RunEnd): CloseSolicitation['data']['result'] {
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
