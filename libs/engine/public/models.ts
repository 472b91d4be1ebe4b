/**
 * How a workflow asks a model: body, budget, attempts, corrections, backups.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  type BudgetOfCalls,
  runBudgetSchema,
  unpricedModel,
  type ModelFallback,
  type ModelRequest,
  addSpent,
  isSpent,
  type ModelAsk,
  NOTHING_SPENT,
  type Spent,
  spentMembers,
  type AskedCall,
  type AssistantTurn,
  readTurn,
  type ChatTool,
  modelBody,
  type Question,
  type ModelFailure,
  InvalidModelId,
  type ModelIdParts,
  type ModelRoute,
  parseModelId,
  splitModelId,
  takesTools,
  changedNames,
  type ToolNames,
  toolNames,
} from '#lib/call-rules';
