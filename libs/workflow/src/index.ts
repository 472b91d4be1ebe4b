export { compareEvents } from './compare-events.js';
export type { Activities } from './activities.js';
export type { Divergence } from './divergence.js';
export type { Leases } from './leases.js';
export { stumbled } from './stumbled.js';
export { type Verification, verifyWorkflow } from './verify-workflow.js';
export type { ActivityFailure, Step, Workflow } from './workflow.js';
export { CannotPerform, RunnerStopped, type WorkflowRun, WorkflowRunner } from './workflow-runner.js';
export type { RunnerSettings } from './runner-settings.js';
