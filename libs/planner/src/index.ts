/**
 * The planner loop, as a workflow and as a function.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export type { BudgetMax } from '#lib/calls';
export type { LlmAnswer, LlmClient } from '#lib/workflow';
export type { InlineExit, PlannerInput } from './planner.input.js';
export { planner } from './planner.workflow.js';
export {
  type LoopCall,
  type LoopInput,
  type LoopMessage,
  type LoopTool,
  type PlannerLoop,
  runPlannerLoop,
} from './run-planner-loop.js';
