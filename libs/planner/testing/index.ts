export { type PlannerBytes, plannerBytes } from './planner-bytes.js';
