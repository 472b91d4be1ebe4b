export { OF_HOOKS } from './hook.decider.js';
export { hookEventDefinitions } from './hook.events.js';
