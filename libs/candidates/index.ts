export { agreeing, withApproval } from './approvals.rules.js';
export { type AnsweringPerson, notAPerson, type Waits, whyNotAnswering } from './candidate.rules.js';
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
export { peopleSchema } from './people-schema.js';
