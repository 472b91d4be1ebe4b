export { chose, EVALUATION, evaluated, inputOf, sample } from '../evaluations/testing/evaluated.js';
