import { ALLOWANCE, type Given, scripted, scriptOf, type ScriptState, type Workflow } from '#lib/workflow';
import { exitProblems, type PlannerInput, plannerInputSchema } from './planner.input.js';
import { Planning } from './planner.script.js';

/**
 * A model works with tools, round after round, until it makes no more calls, takes an exit, or reaches a limit.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | calls are named by their places |
 * | 2 | 0.3.0 | calls are named by UUIDs; an empty text means no arguments; tool messages show the arguments that a person changed; rejections quote arguments that are not a JSON object |
 */
export const planner = plannerOf((given) => new Planning(given));

/** @param begin the script of a run */
export function plannerOf(begin: (given: Given) => Planning): Workflow<ScriptState<Planning>> {
  const rules = scripted(
    {
      input: plannerInputSchema,
      problemsOf: (input) => exitProblems(input as object as PlannerInput),
      facts: ['model', 'tools', ALLOWANCE],
      wholeResult: (state, recorded) => scriptOf(state).whole(recorded),
    },
    begin,
  );
  return { name: 'planner', versions: { 1: rules, 2: rules } };
}
