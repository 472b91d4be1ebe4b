export { arbitraryMachine } from './arbitrary-machine.js';
