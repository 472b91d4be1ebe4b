export * from './code-history.js';
export { hostileGroups, lineOf, writeOutcomes } from './hostile-outcomes.js';
