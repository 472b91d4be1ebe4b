export * from './core.js';
export * as peopleOperations from './people.operations.js';
export { cannotAct } from './acting-person.js';
export { ownHumanId, OwnHumans } from './own-humans.js';
export { PersonAccess } from './person-access.js';
export { PersonTokens } from './person-tokens.js';
export { type Reviewer, Reviewers } from './reviewers.js';
