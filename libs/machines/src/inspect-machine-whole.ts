import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspectMachine, type MachineInput, normalizeMachine } from '#lib/machine';
import { machineTemplateWarnings } from '#lib/solicitation';
import type { DeclaredSpecialists } from '#lib/specialists';
import type { MachineReport } from './machines.views.js';

/**
 * The problems that defining a machine would report. Specialists are checked once the machine itself is valid: before, it is not known
 * which ones it declares. The event loop serves others in between.
 */
export async function inspectMachineWhole(
  definition: unknown,
  declared: DeclaredSpecialists,
): Promise<MachineReport> {
  const inspected = inspectMachine(definition);
  const { valid, errors: own, warnings } = inspected;
  if (!valid) return { ...inspected, errors: own.map(({ path, message }) => ({ path, message })) };
  await nextTurn();
  const machine = normalizeMachine(definition as MachineInput);
  const errors = declared.problems(machine);
  return {
    ...inspected,
    valid: errors.length === 0,
    errors,
    warnings: [...warnings, ...machineTemplateWarnings(machine), ...(await declared.warnings(machine))],
  };
}
