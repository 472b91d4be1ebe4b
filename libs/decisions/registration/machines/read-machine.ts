import { setImmediate as nextTurn } from 'node:timers/promises';
import { below, firstProblem, invalidDefinition, type Problem, type Rejection } from '#lib/kernel';
import {
  inspectMachine,
  inspectWithoutProof,
  type MachineDefinition,
  type MachineInput,
  normalizeMachine,
} from '#lib/decisions/machines';
import { RejectionError } from '#lib/operations/core';
import { machineTemplateWarnings } from '#lib/decisions/solicitation';

/**
 * A machine definition from outside, normalized. The process serves other callers in between.
 * @param rules further rules for a machine that is valid by itself
 * @param base JSON pointer to the machine in the input
 * @throws RejectionError with the first problems and their number: malformed if it cannot be read, refused if it breaks a rule
 */
export async function readMachine(
  input: unknown,
  rules: (machine: MachineDefinition) => readonly Problem[],
  base = '',
): Promise<ReadMachine> {
  const inspected = inspectMachine(input);
  refuseProblems(inspected, base);
  await nextTurn();
  const machine = normalizeMachine(input as MachineInput);
  const broken = rules(machine);
  if (broken.length > 0) throw new RejectionError(invalidMachine(false, broken, base));
  const unusual = machineTemplateWarnings(machine);
  await nextTurn();
  return { machine, warnings: [...inspected.warnings, ...unusual] };
}

/**
 * A machine to be proved, or of another log: its stated properties need not hold, and its specialists are not checked.
 * @param base JSON pointer to it in what the caller sent
 * @throws RejectionError with the first problems and their number
 */
export function readUnproved(input: unknown, base: string): MachineDefinition {
  refuseProblems(inspectWithoutProof(input), base);
  return normalizeMachine(input as MachineInput);
}

function refuseProblems({ errors, errorCount }: Inspected, base: string): void {
  const malformed = errors.some(({ kind }) => kind === 'malformed');
  if (errors.length > 0) throw new RejectionError(invalidMachine(malformed, errors, base, errorCount));
}

type Inspected = ReturnType<typeof inspectMachine>;

/** A machine that can be defined, with its warnings. */
interface ReadMachine {
  readonly machine: MachineDefinition;
  readonly warnings: readonly Problem[];
}

function invalidMachine(
  isMalformed: boolean,
  problems: readonly Problem[],
  base: string,
  count = problems.length,
): Rejection {
  return invalidDefinition('machine', isMalformed, below(base, problems), {
    why: firstProblem(problems, count),
    fix: 'Correct the listed problems; validating a machine checks it without defining it',
  });
}
