export { personDecider, type PersonState, unknownPerson } from './people.decider.js';
export { type PersonEvent, personEventDefinitions } from './people.events.js';
export * as peopleOperations from './people.operations.js';
export { peopleProjection } from './people.read-model.js';
export { PersonAccess } from './person-access.js';
export { PersonTokens } from './person-tokens.js';
export { type Reviewer, Reviewers } from './reviewers.js';
