export { evaluate, expressionProblem } from './expression.rules.js';
