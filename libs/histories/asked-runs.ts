import { arbitrationRequests } from '#lib/decisions/arbitration';
import { solicitationRequests } from '#lib/decisions/solicitation';
import { turnRequests } from '#lib/flows/core';
import { dueTimesRequests } from '#lib/tasks/core';
import { runsBelow } from '#lib/workflow';
import { batchRequests } from './experiments/batch-run.js';

/** How streams of capabilities ask for runs. */
export const runRequests = [
  solicitationRequests,
  arbitrationRequests,
  dueTimesRequests,
  turnRequests,
  batchRequests,
] as const;

/** The runs of sessions, conversations and runs; of a fork also those of the session that it goes on from. */
export const runsOfRoots = runsBelow(runRequests, true);
