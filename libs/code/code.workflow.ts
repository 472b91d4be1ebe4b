import { ALLOWANCE, type Rules, type Workflow } from '#lib/workflow';
import { type CodeInput, codeInputSchema } from './code.input.js';
import { codeEventDefinitions } from './code.events.js';
import { beginCode, evolveCode, nextOfCode } from './code.rules.js';
import type { CodeState } from './code.state.js';
import { inputProblems } from './input-problems.rules.js';
import { wholeResult } from './result.rules.js';

const rules: Rules<CodeState> = {
  input: codeInputSchema,
  problemsOf: (input) => inputProblems(input as object as CodeInput),
  facts: ['model', 'tools', ALLOWANCE],
  initialState: beginCode,
  evolve: evolveCode,
  next: nextOfCode,
  wholeResult,
};

/**
 * A model writes programs that call tools, one after another, until a program returns an exit or a limit is reached.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | calls are named by their places; without `exits` there is `done`, with any value; hooks think in objects alone |
 * | 2 | 0.3.0 | calls are named by UUIDs; without `exits` there are `done` and `error`, each with a text; hooks and tools think in any JSON |
 */
export const code: Workflow<CodeState> = {
  name: 'code',
  events: codeEventDefinitions,
  versions: { 1: rules, 2: rules },
};
