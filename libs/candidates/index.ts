export { agreeing, withApproval } from './approvals.rules.js';
export {
  type AnsweringPerson,
  notAPerson,
  type Waits,
  whyNotAnswering,
  withEscalated,
} from './candidate.rules.js';
export {
  approvalsOf,
  CREATOR,
  DEFAULT_PRIORITY,
  type ExcludedPeople,
  excludedPeople,
  excludesCreator,
  isNaming,
  peopleMembers,
  type PeoplePolicy,
  priorityOf,
  PROPOSERS,
} from './people-policy.js';
export { durationSchema, MOST_TIMES, peopleSchema } from './people-schema.js';
export {
  durationProblems,
  type Escalated,
  type Escalation,
  hasTimes,
  timesProblems,
  type WaitingTimes,
} from './waiting-times.js';
