import type { SessionEvent } from '#lib/session';
import type { RunRequests } from '#lib/workflow';

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
