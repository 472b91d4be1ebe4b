import { warningLines } from '../format/machine-lines.js';
import { printResult } from '../format/print-result.js';
import { readJsonFile } from '../input/read-json-file.js';
import { inspectMachineFile, invalidMachineFile } from '../input/read-machine-file.js';
import type { Io } from '../io.js';

/** @throws InvalidInput where the machine is not valid, after its problems are printed */
export async function validate(file: string, json: true | undefined, io: Io): Promise<void> {
  const report = inspectMachineFile(await readJsonFile(file));
  printResult(io, json, report, ({ valid, warnings }, paint) => [
    ...(valid ? [`${paint('green', 'valid')}: ${file}`] : []),
    ...warningLines(warnings, paint),
  ]);
  if (!report.valid) throw invalidMachineFile(file, report);
}
