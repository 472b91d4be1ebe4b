export type { EvaluationReplayReport, ReplayReport, ReplayTotals } from './replay-report.js';
export { sessionAt } from './session-at.js';
export { verifyAll } from './verify-all.js';
export { verifyEvaluation } from './verify-evaluation.js';
export { verifySession } from './verify-session.js';
