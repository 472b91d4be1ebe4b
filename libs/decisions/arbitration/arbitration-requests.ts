import { isJsonObject } from '#lib/kernel';
import type { CloseArbitration, SessionEvent } from '#lib/decisions/session';
import type { RunEnd, RunRequests } from '#lib/workflow';
import { failureKind } from './failure-kind.js';
import { readVerdict } from './read-verdict.js';

const TAKEN: readonly string[] = [
  'ConsensusReached',
  'ConsensusNotReached',
  'VerdictSetAside',
  'ArbitrationFailed',
] satisfies SessionEvent['type'][];

/** How sessions ask for arbitrations, and take in their ends. The id of the arbitration is that of its run. */
export const arbitrationRequests: RunRequests = {
  category: 'session',
  workflow: 'arbitration',
  askedBy: (event) => (event.type === 'ArbitrationRequested' ? arbitrationId(event.data) : undefined),
  takenBy: (event) => (TAKEN.includes(event.type) ? arbitrationId(event.data) : undefined),
};

function arbitrationId(data: object): string | undefined {
  return 'arbitrationId' in data && typeof data.arbitrationId === 'string' ? data.arbitrationId : undefined;
}

/** The end of an arbitration, for its session. Defined for every end: also of one that was given up, or grew too large. */
export function arbitrationEnd({ status, result, failure }: RunEnd): CloseArbitration['data']['result'] {
  const details = isJsonObject(result) ? result : {};
  const verdict = readVerdict(details['verdict']);
  if (status === 'completed' && !('unusable' in verdict)) return { verdict };
  const { kind = 'interrupted', message = 'The arbitration was ended before there was a verdict.' } =
    failure ?? {};
  const { upstreamStatus } = details;
  const known = typeof upstreamStatus === 'number' && { upstreamStatus };
  return { failure: { kind: failureKind(kind), message, ...known } };
}
