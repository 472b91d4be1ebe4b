export { Conditions } from './condition.rules.js';
export { Expressions } from './expression.rules.js';
