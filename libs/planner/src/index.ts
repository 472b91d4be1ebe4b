export type { Budget, InlineExit, ModelParameters, PlannerInput } from './planner.input.js';
export { planner } from './planner.workflow.js';
export {
  type LlmClient,
  type LoopCall,
  type LoopInput,
  type LoopTool,
  type PlannerLoop,
  runPlannerLoop,
} from './run-planner-loop.js';
