export type { ReplayReport } from './replay-report.js';
export { sessionAt } from './session-at.js';
export { verifyAll } from './verify-all.js';
export { verifySession } from './verify-session.js';
