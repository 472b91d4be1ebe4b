export type {
  Activity,
  ActivityEvent,
  ActivityFailure,
  ActivityMemory,
  ActivityRules,
  CallContext,
  CallPool,
  Outcome,
  RunGiven,
} from './activity.js';
export { isWebhookTokenName, WEBHOOK_TOKEN_FORM } from './webhook-token-name.js';
export { ActivityRegistry } from './activity-registry.js';
export { LONGEST_MS, settledBy, stopwatch, withLinkedSignal, withTimeLimit } from './time-limit.js';
