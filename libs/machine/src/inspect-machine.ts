import { isDeeperThan } from '#lib/kernel';
import type { MachineInput } from './machine-definition.js';
import { outlineMachine } from './machine-outline.js';
import type { MachineInspection, MachineProblem } from './machine-problem.js';
import {
  graphWarnings,
  impossibleParameters,
  quorumWarnings,
  reasoningWarnings,
  toolWarnings,
} from './machine-warnings.js';
import { normalizeMachine } from './normalize-machine.js';
import { ruleProblems } from './rule-problems.js';
import { structureProblems } from './structure-problems.js';

/** Deeper than any hand-written schema, and far from what would exhaust the stack of whoever walks the definition later. */
const MAX_DEPTH = 100;

/**
 * Everything that is wrong with a value as a machine, all at once; each problem with a JSON pointer to where it is, or would be.
 * Pure, and never throws. Warnings about reachability are given once there are no errors: before, they would repeat them.
 */
export function inspectMachine(value: unknown): MachineInspection {
  if (isDeeperThan(value, MAX_DEPTH)) return inspection([tooDeep], []);
  const outline = outlineMachine(value);
  const broken = ruleProblems(outline).map((problem): MachineProblem => ({ ...problem, kind: 'invalid' }));
  const errors = [...structureProblems(value), ...broken];
  const tools = toolWarnings(outline.transitions);
  if (errors.length > 0) return inspection(errors, tools);
  const machine = normalizeMachine(value as MachineInput);
  return inspection(errors, [
    ...tools,
    ...impossibleParameters(outline.transitions),
    ...graphWarnings(machine),
    ...quorumWarnings(machine),
    ...reasoningWarnings(machine),
  ]);
}

const tooDeep: MachineProblem = {
  path: '',
  message: `is nested more than ${MAX_DEPTH} levels deep`,
  kind: 'malformed',
};

function inspection(
  errors: MachineInspection['errors'],
  warnings: MachineInspection['warnings'],
): MachineInspection {
  return { valid: errors.length === 0, errors, warnings };
}
