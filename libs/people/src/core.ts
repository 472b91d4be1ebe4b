export { personEventDefinitions } from './people.events.js';
export { peopleProjection } from './people.read-model.js';
