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
export { ActivityRegistry, type ActivityRole, DuplicateActivity } from './activity-registry.js';
