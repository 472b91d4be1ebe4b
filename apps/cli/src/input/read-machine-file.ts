import { inspectMachine, type MachineDefinition, type MachineInput, normalizeMachine } from '#lib/machine';
import type { Problem } from '#lib/kernel';
import { InvalidInput } from '../errors.js';
import { readJsonFile } from './read-json-file.js';

export interface MachineFile {
  readonly machine: MachineDefinition;
  /** What is legal and probably not meant, one line each. */
  readonly warnings: readonly string[];
}

/** @throws InvalidInput when there is no file, it is no JSON, or it is no machine: then with every problem */
export async function readMachineFile(file: string): Promise<MachineFile> {
  const value = await readJsonFile(file);
  const { valid, errors, warnings } = inspectMachine(value);
  if (!valid) {
    const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`;
    throw new InvalidInput(
      file,
      `it is not a valid machine, ${count}`,
      'Mend what is listed and try again',
      errors.map(problemLine),
    );
  }
  return { machine: normalizeMachine(value as MachineInput), warnings: warnings.map(problemLine) };
}

function problemLine({ path, message }: Problem): string {
  return `${path || '(root)'}: ${message}`;
}
