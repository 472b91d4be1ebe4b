import { isJsonObject, jsonText, ownMember, RedialError } from '#lib/kernel';
import { inspectMachine } from './inspect-machine.js';
import type { MachineInput } from './machine-definition.js';
import type { MachineProblem } from '#lib/json-schema';

/** A value that is not a machine. The message lists the problems, `problems` has them as data. */
export class InvalidMachine extends RedialError {
  constructor(
    machineName: string | undefined,
    readonly problems: readonly MachineProblem[],
    count = problems.length,
  ) {
    const more = count > problems.length ? `; and ${count - problems.length} more` : '';
    super(
      `machine${machineName ? ` ${jsonText(machineName)}` : ''} is not valid`,
      problems.map(({ path, message }) => `${path || '(root)'}: ${message}`).join('; ') + more,
      count === 1 ? 'Correct it and try again' : `Correct these ${count} problems and try again`,
    );
  }
}

/** Accepts a value in which `inspectMachine` finds no error. @throws InvalidMachine with the problems. */
export function validateMachine(value: unknown): asserts value is MachineInput {
  const { valid, errors, errorCount } = inspectMachine(value);
  if (valid) return;
  const name = isJsonObject(value) ? ownMember(value, 'machineName') : undefined;
  throw new InvalidMachine(typeof name === 'string' ? name : undefined, errors, errorCount);
}
