import { arbitrationRequests } from '#lib/decisions/arbitration';
import { solicitationRequests } from '#lib/decisions/solicitation';
import { turnRequests } from '#lib/flows/core';
import { dueTimesRequests } from '#lib/tasks/core';
import { runsBelow } from '#lib/workflow';
import { batchRequests } from './experiments/batch-run.js';

/** The runs that the streams of sessions, conversations and experiments ask for. */
export const runRequests = [
  solicitationRequests,
  arbitrationRequests,
  dueTimesRequests,
  turnRequests,
  batchRequests,
] as const;

/** The runs below sessions, conversations and runs. Below a fork, also the runs of its parent session. */
export const runsOfRoots = runsBelow(runRequests, true);
