export { tool, given, replies, plays, replayed } from './code-history.js';
export { hostileGroups, lineOf, unexpectedIn, writeOutcomes } from './hostile-outcomes.js';
