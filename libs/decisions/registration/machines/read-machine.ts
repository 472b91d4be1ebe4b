import { setImmediate as nextTurn } from 'node:timers/promises';
import { below, firstProblem, invalidDefinition, type Problem, type Rejection } from '#lib/kernel';
import {
  inspectMachine,
  type MachineDefinition,
  type MachineInput,
  normalizeMachine,
} from '#lib/decisions/machines';
import { RejectionError } from '#lib/operations/core';
import { machineTemplateWarnings } from '#lib/decisions/solicitation';

/**
 * A machine definition from outside, normalized. The event loop serves others in between.
 * @param rules what else has to hold of a machine that is sound in itself
 * @param base JSON pointer to the machine in what the caller sent
 * @throws RejectionError with the first problems and their number: malformed if it cannot be read, refused if it breaks a rule
 */
export async function readMachine(
  input: unknown,
  rules: (machine: MachineDefinition) => readonly Problem[],
  base = '',
): Promise<ReadMachine> {
  const { errors, errorCount, warnings } = inspectMachine(input);
  const malformed = errors.some(({ kind }) => kind === 'malformed');
  if (errors.length > 0) throw new RejectionError(invalidMachine(malformed, errors, base, errorCount));
  await nextTurn();
  const machine = normalizeMachine(input as MachineInput);
  const broken = rules(machine);
  if (broken.length > 0) throw new RejectionError(invalidMachine(false, broken, base));
  const unusual = machineTemplateWarnings(machine);
  await nextTurn();
  return { machine, warnings: [...warnings, ...unusual] };
}

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
    fix: 'Correct what is listed; validating a machine checks it without defining it',
  });
}
