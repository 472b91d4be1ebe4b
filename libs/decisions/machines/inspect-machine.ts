import { LISTED_PROBLEMS, type Problem } from '#lib/kernel';
import type { MachineInput } from './machine-definition.js';
import { type MachineOutline, outlineMachine } from './machine-outline.js';
import type { FoundProblem, MachineInspection, MachineProblem } from '#lib/json-schema';
import {
  collapseWarnings,
  graphWarnings,
  impossibleParameters,
  quorumWarnings,
  reasoningWarnings,
  toolWarnings,
} from './machine-warnings.js';
import { normalizeMachine } from './normalize-machine.js';
import { violatedProperties } from './prove/prove-machine.js';
import { ruleProblems } from './rule-problems.js';
import { sizeProblem } from '#lib/json-schema';
import { checkShape, schemaProblem } from '#lib/json-schema';
import { machineSchema } from './machine-schema.js';

/**
 * The problems of a value as a machine: the first ones and their number, each with a JSON pointer to its location, or to the
 * missing member. Pure, never throws, and takes time linear in the limits of definitions. Warnings about reachability are given
 * only without errors, which they would repeat.
 */
export function inspectMachine(value: unknown): MachineInspection {
  const inspected = inspectWithoutProof(value);
  if (!inspected.valid) return inspected;
  const violated = violatedProperties(normalizeMachine(value as MachineInput));
  const errors = violated.slice(0, LISTED_PROBLEMS).map(invalid);
  const isCut = violated.length > LISTED_PROBLEMS;
  return {
    ...inspected,
    valid: errors.length === 0,
    errors,
    ...(isCut && { errorCount: violated.length }),
  };
}

/** As `inspectMachine`, without the check of stated properties. */
export function inspectWithoutProof(value: unknown): MachineInspection {
  const tooLarge = sizeProblem(value);
  if (tooLarge) return { valid: false, errors: [tooLarge], warnings: [] };
  const outline = outlineMachine(value);
  const structure = structureProblems(value);
  const broken = ruleProblems(outline);
  const errorCount = structure.count + broken.length;
  const tools = toolWarnings(outline.transitions);
  const warnings = errorCount > 0 ? tools : [...tools, ...warningsOf(value as MachineInput, outline)];
  return {
    valid: errorCount === 0,
    errors: [...structure.problems, ...listed(broken).map(invalid)].slice(0, LISTED_PROBLEMS),
    ...(errorCount > LISTED_PROBLEMS && { errorCount }),
    warnings: listed(warnings),
    ...(warnings.length > LISTED_PROBLEMS && { warningCount: warnings.length }),
  };
}

function warningsOf(valid: MachineInput, { transitions }: MachineOutline): readonly FoundProblem[] {
  const machine = normalizeMachine(valid);
  const few = [
    ...impossibleParameters(transitions),
    ...quorumWarnings(machine),
    ...collapseWarnings(machine),
    ...reasoningWarnings(machine),
  ];
  return [...graphWarnings(machine), ...few.map((problem) => () => problem)];
}

function listed(found: readonly FoundProblem[]): readonly Problem[] {
  return found.slice(0, LISTED_PROBLEMS).map((problem) => problem());
}

function invalid(problem: Problem): MachineProblem {
  return { ...problem, kind: 'invalid' };
}

/** The violations of the JSON Schema of machines, in the order of the schema: the first ones, and their number. */
function structureProblems(value: unknown): {
  readonly problems: readonly MachineProblem[];
  readonly count: number;
} {
  const { errors, count } = checkShape(machineSchema, value);
  const own = errors.filter(({ keyword }) => keyword !== 'if');
  return {
    problems: own.map((error) => ({
      ...schemaProblem(error),
      kind: isMalformed(error) ? 'malformed' : 'invalid',
    })),
    count: count - (errors.length - own.length),
  };
}

function isMalformed({ keyword }: { readonly keyword: string }): boolean {
  return keyword === 'type' || keyword === 'additionalProperties';
}
