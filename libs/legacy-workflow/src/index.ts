export type { Activities } from './activities.js';
export { type Verification, verifyWorkflow } from './verify-workflow.js';
export type { ActivityFailure, Step, Workflow } from './workflow.js';
export { CannotPerform, RunnerStopped, type WorkflowRun, WorkflowRunner } from './workflow-runner.js';
export type { RunnerSettings } from './runner-settings.js';
export type { LeaseStore } from './log-claim/lease-store.js';
export { logClaimEventDefinitions, type LogClaimed } from './log-claim/log-claim.events.js';
export { LogClaim, LogClaimedElsewhere } from './log-claim/log-claim.js';
