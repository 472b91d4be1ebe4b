import type { JsonObject } from '#lib/kernel';
import { type CloseSolicitation, mergeGiven, type SolicitationFailure } from '#lib/session';
import type { RunEnd } from '#lib/workflow';
import { failureKind } from './activity-failure.js';
import type { SolicitationChoice, SolicitationLoss } from './solicitation.events.js';

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
