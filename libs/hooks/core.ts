export { hookEventDefinitions } from './hook.events.js';
