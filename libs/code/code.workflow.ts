import { ALLOWANCE, type Given, scripted, scriptOf, type ScriptState, type Workflow } from '#lib/workflow';
import { type CodeInput, codeInputSchema } from './code.input.js';
import { codeEventDefinitions } from './code.events.js';
import { Coding } from './code.script.js';
import { inputProblems } from './input-problems.rules.js';
import { wholeResult } from './result.rules.js';

const rules = scripted(
  {
    input: codeInputSchema,
    problemsOf: (input) => inputProblems(input as object as CodeInput),
    facts: ['model', 'tools', ALLOWANCE],
    wholeResult: (state, recorded) => wholeResult(scriptOf(state).state, recorded),
  },
  (given: Given) => new Coding(given),
);

/**
 * A model writes programs that call tools, one after the other, until a program returns an exit or a limit is reached.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | calls are named by their places; without `exits` there is `done`, with any value; hooks think in objects alone |
 * | 2 | 0.3.0 | calls are named by UUIDs; without `exits` there are `done` and `error`, each with a text; hooks and tools think in any JSON; tools register sources; members of answers of hooks that are not known are named in traces |
 * | 3 | 0.3.1 | each turn of a conversation begins with the model that was named first; the input null of a hook is the input of the call |
 */
export const code: Workflow<ScriptState<Coding>> = {
  name: 'code',
  events: codeEventDefinitions,
  versions: { 1: rules, 2: rules, 3: rules },
};
