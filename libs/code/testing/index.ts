export {
  sandbox,
  tool,
  given,
  replies,
  replyOf,
  fenced,
  type Answer,
  type Hooks,
  plays,
  advances,
  replayed,
  toolOk,
  openCalls,
  stateAfter,
  stateOf,
} from './code-history.js';
export { hostileGroups, lineOf, unexpectedIn, writeOutcomes } from './hostile-outcomes.js';
