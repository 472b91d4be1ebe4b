export { compareEvents } from './compare-events.js';
export type { Activities } from './activities.js';
export type { Divergence } from './divergence.js';
export { LeaseHeartbeat } from './lease-heartbeat.js';
export type { Leases } from './leases.js';
export { stumbled } from './stumbled.js';
export { type Verification, verifyWorkflow } from './verify-workflow.js';
export type { ActivityFailure, Step, Workflow } from './workflow.js';
export { CannotPerform, RunnerStopped, type WorkflowRun, WorkflowRunner } from './workflow-runner.js';
export type { RunnerSettings } from './runner-settings.js';
export type { LeaseStore } from './log-claim/lease-store.js';
export { logClaimEventDefinitions, type LogClaimed } from './log-claim/log-claim.events.js';
export { LogClaim, LogClaimedElsewhere } from './log-claim/log-claim.js';
export { damagedBody } from './replies/damaged-body.js';
export { excerpt } from './replies/excerpt.js';
export { parseReplyJson, parseReplyObject } from './replies/parse-reply-json.js';
export {
  type RefusedReply,
  type StoredReply,
  readWebhookText,
  unusableReply,
} from './replies/read-webhook-text.js';
export type { RecordedBody } from './replies/recorded-body.js';
export type { RecordedReply } from './replies/recorded-reply.js';
export { delayBefore, isWorthAnotherAttempt, retryAfter } from './replies/retries.js';
