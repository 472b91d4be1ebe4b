export { agreeing, withApproval } from './approvals.rules.js';
export { type AnsweringPerson, notAPerson, whyNotAnswering, withEscalated } from './candidate.rules.js';
export {
  approvalsOf,
  CREATOR,
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
  hasTimes,
  timesProblems,
  type WaitingTimes,
} from './waiting-times.js';
