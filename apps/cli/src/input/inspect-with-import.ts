import { type MachineInput, normalizeMachine } from '#lib/decisions/machines';
import { machineProblemsWith } from '#lib/engine/core';
import { importedOptions } from './imported-options.js';
import type { MachineFileReport } from './read-machine-file.js';

/** The report of a valid machine, with its problems in a process with the module of `--import`. */
export function inspectedWithImport(value: unknown, report: MachineFileReport): MachineFileReport {
  const errors = machineProblemsWith(importedOptions() ?? {}, normalizeMachine(value as MachineInput));
  return { ...report, valid: errors.length === 0, errors };
}
