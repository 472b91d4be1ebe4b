/**
 * Verifying sessions and runs against their events.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  type ReplayedLog,
  readableHistory,
  type ReplayReport,
  type ReplayTotals,
  replayTotals,
  type Verification,
  verifyDecisions,
  verifyRunTree,
} from '#lib/runs/runs/core';
export { sessionAt, verifySession } from '#lib/decisions/driving/core';
export { verifyAll, verifyEach } from '../replay/verify-all.js';
