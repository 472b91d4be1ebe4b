/**
 * How a workflow asks a model: body, budget, attempts, corrections, backups.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export { type BudgetOfCalls, runBudgetSchema, unpricedModel } from './budget.rules.js';
export type { ModelFallback } from './model-call.events.js';
export { beginModelCall, evolveModelCall, modelCallSteps, type ModelRequest } from './model-call.rules.js';
export {
  addSpent,
  isSpent,
  type ModelAsk,
  type ModelCallState,
  NOTHING_SPENT,
  routeOf,
  type Spent,
  spentMembers,
} from './model-call.state.js';
export { type AskedCall, type AssistantTurn, readTurn } from './assistant-turn.rules.js';
export { type ChatTool, modelBody, type Question } from './model-body.rules.js';
export type { ModelFailure } from './model-retries.rules.js';
export {
  InvalidModelId,
  type ModelIdParts,
  type ModelRoute,
  parseModelId,
  splitModelId,
  takesTools,
} from './model-route.js';
export { changedNames, type ToolNames, toolNames } from './tool-names.rules.js';
