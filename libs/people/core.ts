export { cannotAct } from './acting-person.js';
export { isOwnHumanOf, ownHumanId, OwnHumans } from './own-humans.js';
export { personEventDefinitions } from './people.events.js';
export { getPerson, peopleModel, peopleTable } from './people.read-model.js';
export { PersonAccess } from './person-access.js';
export { PersonTokens } from './person-tokens.js';
export { type Reviewer, Reviewers } from './reviewers.js';
