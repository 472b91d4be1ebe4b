import {
  gateMachine,
  gateWarnings,
  inspectGate,
  type GateInput,
  normalizeGate,
} from '#lib/decisions/gates/core';
import type { MachineDefinition } from '#lib/decisions/machines';
import { inspectMachineFile, type MachineFileReport } from './read-machine-file.js';

/** The problems and warnings of creating the gate in a file. */
export function inspectGateFile(value: unknown): MachineFileReport {
  const errors = inspectGate(value).map(({ kind: _, ...problem }) => problem);
  if (errors.length > 0) return { valid: false, errors, warnings: [] };
  const { warnings } = inspectMachineFile(machineOfGate(value));
  return { valid: true, errors: [], warnings: gateWarnings(warnings) };
}

/** The machine of a valid gate. */
export function machineOfGate(value: unknown): MachineDefinition {
  return gateMachine(normalizeGate(value as GateInput));
}
