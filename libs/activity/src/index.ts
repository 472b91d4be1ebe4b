export type {
  Activity,
  ActivityEvent,
  ActivityFailure,
  ActivityMemory,
  ActivityRules,
  CallContext,
  Outcome,
} from './activity.js';
export { ActivityRegistry, type ActivityRole, DuplicateActivity } from './activity-registry.js';
