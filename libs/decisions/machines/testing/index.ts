export { arbitraryMachine } from './arbitrary-machine.js';
export { hostileDefinitions } from './hostile-definitions.js';
