export { buildSystemPrompt, type SystemPromptParts } from './build-system-prompt.js';
export type { InlineExit, PlannerInput } from './planner.input.js';
export { planner } from './planner.workflow.js';
export {
  type LoopCall,
  type LoopInput,
  type LoopMessage,
  type LoopTool,
  type PlannerLoop,
  runPlannerLoop,
  toolsToFunctionSchemas,
} from './run-planner-loop.js';
