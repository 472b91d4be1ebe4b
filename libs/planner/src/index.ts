export type { Budget, InlineExit, PlannerInput } from './planner.input.js';
export { planner } from './planner.workflow.js';
export {
  type LlmClient,
  type LoopCall,
  type LoopInput,
  type LoopTool,
  type PlannerLoop,
  runPlannerLoop,
} from './run-planner-loop.js';
