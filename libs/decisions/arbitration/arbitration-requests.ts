import { isJsonObject } from '#lib/kernel';
import type { CloseArbitration, SessionEvent } from '#lib/decisions/session';
import { isGivenUp, type RunEnd, runIdsIn, type RunRequests } from '#lib/workflow';
import { failureKind, readVerdict } from './read-answer.js';

const TAKEN: readonly string[] = [
  'ConsensusReached',
  'ConsensusNotReached',
  'VerdictSetAside',
  'ArbitrationFailed',
] satisfies SessionEvent['type'][];

/** The requests of arbitrations in sessions, and the records of their ends. An arbitration has the id of its run. */
export const arbitrationRequests = {
  category: 'session',
  workflow: 'arbitration',
  askedBy: (event) => (event.type === 'ArbitrationRequested' ? arbitrationId(event.data) : undefined),
  takenBy: (event) => (TAKEN.includes(event.type) ? arbitrationId(event.data) : undefined),
  withdrawnBy: ({ data }) => runIdsIn(data, 'endsArbitrations'),
} as const satisfies RunRequests;

function arbitrationId(data: object): string | undefined {
  return 'arbitrationId' in data && typeof data.arbitrationId === 'string' ? data.arbitrationId : undefined;
}

type Result = CloseArbitration['data']['result'];

/** The end of an arbitration, for its session. */
export function arbitrationEnd(end: RunEnd): Result {
  const result = endBefore03(end);
  if (!('failure' in result) || !isGivenUp(end)) return result;
  return { failure: { ...result.failure, kind: 'given-up' } };
}

/**
 * The end as sessions recorded it before 0.3: the failure of a run that was given up has the kind `interrupted`. Defined for
 * every end, also of a run that was given up or grew too large.
 */
export function endBefore03({ status, result, failure }: RunEnd): Result {
  const details = isJsonObject(result) ? result : {};
  const verdict = readVerdict(details['verdict']);
  if (status === 'completed' && !('unusable' in verdict)) return { verdict };
  const { kind = 'interrupted', message = 'The arbitration was ended before there was a verdict.' } =
    failure ?? {};
  const { upstreamStatus } = details;
  const known = typeof upstreamStatus === 'number' && { upstreamStatus };
  return { failure: { kind: failureKind(kind), message, ...known } };
}
