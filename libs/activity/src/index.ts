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
export { ActivityRegistry } from './activity-registry.js';
