/**
 * The planner loop, as a workflow and as a function.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export { type BudgetMax } from '#lib/call-rules';
export { type LlmAnswer, type LlmClient } from '#lib/workflow';
export {
  type InlineExit,
  type PlannerInput,
  planner,
  type LoopCall,
  type LoopInput,
  type LoopMessage,
  type LoopTool,
  type PlannerLoop,
  buildSystemPrompt,
  runPlannerLoop,
  type SystemPromptParts,
  toolsToFunctionSchemas,
} from '#lib/planner';
