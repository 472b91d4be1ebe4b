export { specify } from './decider-specification.js';
