export { chose, EVALUATION, evaluated, inputOf, sample } from './evaluated.js';
