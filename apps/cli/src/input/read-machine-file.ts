import type { Problem } from '#lib/kernel';
import {
  inspectMachine,
  inspectWithoutProof,
  type MachineDefinition,
  type MachineInput,
  normalizeMachine,
} from '#lib/decisions/machines';
import { machineTemplateWarnings } from '#lib/decisions/solicitation';
import { InvalidInput } from '../error-classes.js';
import { readJsonFile } from './read-json.js';

interface MachineFile {
  readonly machine: MachineDefinition;
  /** Warnings, one line each. */
  readonly warnings: readonly string[];
}

/** A machine file: its definition, problems and warnings. */
export interface MachineFileReport {
  readonly valid: boolean;
  readonly errors: readonly Problem[];
  /** How many there are, if not all are listed. */
  readonly errorCount?: number;
  readonly warnings: readonly Problem[];
}

/** @throws InvalidInput when there is no file, it is not JSON, or it is not a machine: then with its problems */
export async function readMachineFile(file: string): Promise<MachineFile> {
  const value = await readJsonFile(file);
  const report = inspectMachineFile(value);
  if (!report.valid) throw invalidMachineFile(file, report);
  return { machine: normalizeMachine(value as MachineInput), warnings: report.warnings.map(problemLine) };
}

/** The machine of a file whose stated properties may not hold. @throws InvalidInput */
export async function readUnprovedFile(file: string): Promise<MachineDefinition> {
  const value = await readJsonFile(file);
  const report = inspectMachineFile(value, inspectWithoutProof);
  if (!report.valid) throw invalidMachineFile(file, report);
  return normalizeMachine(value as MachineInput);
}

export function inspectMachineFile(value: unknown, inspect = inspectMachine): MachineFileReport {
  const inspected = inspect(value);
  const { valid, errors, warnings } = inspected;
  const templates = valid ? machineTemplateWarnings(normalizeMachine(value as MachineInput)) : [];
  const found = errors.map(({ kind: _, ...problem }) => problem);
  return { ...inspected, errors: found, warnings: [...warnings, ...templates] };
}

export function invalidMachineFile(
  file: string,
  { errors, errorCount = errors.length }: MachineFileReport,
  what: 'machine' | 'gate' = 'machine',
): InvalidInput {
  const count = errorCount === 1 ? '1 problem' : `${errorCount} problems`;
  const why = `it is not a valid ${what}, ${count}`;
  return new InvalidInput(file, why, 'Correct the listed problems and try again', errors.map(problemLine));
}

export function problemLine({ path, message }: Problem): string {
  return `${path || '(root)'}: ${message}`;
}
