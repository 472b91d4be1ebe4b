import { ALLOWANCE, type Rules, type Workflow } from '#lib/workflow';
import { exitProblems, type PlannerInput, plannerInputSchema } from './planner.input.js';
import {
  beginPlanner,
  evolvePlanner,
  nextOfPlanner,
  type PlannerState,
  wholeResult,
} from './planner.rules.js';

const rules: Rules<PlannerState> = {
  input: plannerInputSchema,
  problemsOf: (input) => exitProblems(input as object as PlannerInput),
  facts: ['model', 'tools', ALLOWANCE],
  initialState: beginPlanner,
  evolve: evolvePlanner,
  next: nextOfPlanner,
  wholeResult,
};

/**
 * A model works with tools, round after round, until it has nothing more to call, takes a way out, or a limit is reached.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | calls are named by their places |
 * | 2 | 0.3.0 | calls are named by UUIDs; no text is no arguments; messages of tools show what a person changed, and what is not JSON |
 */
export const planner: Workflow<PlannerState> = { name: 'planner', versions: { 1: rules, 2: rules } };
