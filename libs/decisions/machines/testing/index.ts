export { hostileDefinitions } from './hostile-definitions.js';
