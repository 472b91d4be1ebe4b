export { Expressions, type Variables } from './expression.rules.js';
