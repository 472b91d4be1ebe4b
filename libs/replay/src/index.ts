/**
 * Verifying sessions and runs against their events.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export type { ReplayedLog } from './read-ahead.js';
export { readableHistory } from './readable-history.js';
export { type ReplayReport, type ReplayTotals, replayTotals, type Verification } from './replay-report.js';
export { sessionAt } from './session-at.js';
export { verifyAll, verifyEach } from './verify-all.js';
export { verifyDecisions } from './verify-decisions.js';
export { verifyRunTree } from './verify-run-tree.js';
export { verifySession } from './verify-session.js';
