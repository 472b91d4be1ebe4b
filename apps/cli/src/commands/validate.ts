import { isJsonObject } from '#lib/kernel';
import { warningLines } from '../format/definitions.js';
import { readJsonFile } from '../input/read-json.js';
import { inspectMachineFile, invalidMachineFile } from '../input/read-machine-file.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

/** @throws InvalidInput if the machine or gate is not valid, after its problems are printed; with `--import`, also if it names a function or a workflow that the module does not register */
export async function validate({ json, import: module }: GlobalOptions, io: Io, file: string): Promise<void> {
  const value = await readJsonFile(file);
  // A gate is checked as its machine. Checking a machine does not load the parts for gates.
  const gates = isGate(value) ? await import('../input/inspect-gate-file.js') : undefined;
  const inspected = gates ? gates.inspectGateFile(value) : inspectMachineFile(value);
  // Loading the engine takes time; a file alone does not need it.
  const report =
    module === undefined || !inspected.valid
      ? inspected
      : (await import('../input/inspect-with-import.js')).inspectedWithImport(
          gates ? gates.machineOfGate(value) : value,
          inspected,
        );
  printResult(io, json, report, ({ valid, warnings }, paint) => [
    ...(valid ? [`${paint('green', 'valid')}: ${file}`] : []),
    ...warningLines(warnings, paint),
  ]);
  if (!report.valid) throw invalidMachineFile(file, report, gates ? 'gate' : 'machine');
}

function isGate(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'gateId') && !Object.hasOwn(value, 'machineName');
}
