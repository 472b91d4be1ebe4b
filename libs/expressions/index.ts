export { Conditions } from './condition.rules.js';
export { Expressions, type Variables } from './expression.rules.js';
