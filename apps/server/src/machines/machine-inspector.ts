import { Injectable } from '@nestjs/common';
import { DeclaredSpecialists } from '#lib/engine';
import type { Problem } from '#lib/kernel';
import { inspectMachine, type MachineInput, normalizeMachine } from '#lib/machine';
import { machineTemplateWarnings } from '#lib/solicitation';

/** What is wrong with a machine, and what is legal but probably not meant. */
export interface MachineReport {
  readonly valid: boolean;
  readonly errors: readonly Problem[];
  /** How many there are, where not all are listed. */
  readonly errorCount?: number;
  readonly warnings: readonly Problem[];
  /** How many there are, where not all are listed. */
  readonly warningCount?: number;
}

/** Finds what defining a machine would find. */
@Injectable()
export class MachineInspector {
  constructor(private readonly declared: DeclaredSpecialists) {}

  /** The specialists are looked at once the machine itself is sound: before, there is no telling which ones it declares. */
  inspect(definition: unknown): MachineReport {
    const inspected = inspectMachine(definition);
    const { valid, errors: own, warnings } = inspected;
    if (!valid) return { ...inspected, errors: own.map(({ path, message }) => ({ path, message })) };
    const machine = normalizeMachine(definition as MachineInput);
    const errors = this.declared.problems(machine);
    return {
      ...inspected,
      valid: errors.length === 0,
      errors,
      warnings: [...warnings, ...machineTemplateWarnings(machine)],
    };
  }
}
