import type { Problem } from '#lib/kernel';
import { inspectMachine, type MachineDefinition, type MachineInput, normalizeMachine } from '#lib/machine';
import { machineTemplateWarnings } from '#lib/solicitation';
import { InvalidInput } from '../errors.js';
import { readJsonFile } from './read-json-file.js';

export interface MachineFile {
  readonly machine: MachineDefinition;
  /** What is legal and probably not meant, one line each. */
  readonly warnings: readonly string[];
}

/** What is in a machine file: what is wrong with it, and what is legal but probably not meant. */
export interface MachineFileReport {
  readonly valid: boolean;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** @throws InvalidInput when there is no file, it is no JSON, or it is no machine: then with every problem */
export async function readMachineFile(file: string): Promise<MachineFile> {
  const value = await readJsonFile(file);
  const { valid, errors, warnings } = inspectMachineFile(value);
  if (!valid) throw invalidMachineFile(file, errors);
  return { machine: normalizeMachine(value as MachineInput), warnings: warnings.map(problemLine) };
}

export function inspectMachineFile(value: unknown): MachineFileReport {
  const { valid, errors, warnings } = inspectMachine(value);
  const templates = valid ? machineTemplateWarnings(normalizeMachine(value as MachineInput)) : [];
  const found = errors.map(({ path, message }) => ({ path, message }));
  return { valid, errors: found, warnings: [...warnings, ...templates] };
}

export function invalidMachineFile(file: string, errors: readonly Problem[]): InvalidInput {
  const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`;
  const why = `it is not a valid machine, ${count}`;
  return new InvalidInput(file, why, 'Correct what is listed and try again', errors.map(problemLine));
}

export function problemLine({ path, message }: Problem): string {
  return `${path || '(root)'}: ${message}`;
}
