import { warningLines } from '../format/definitions.js';
import { readJsonFile } from '../input/read-json.js';
import { inspectMachineFile, invalidMachineFile } from '../input/read-machine-file.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

/** @throws InvalidInput if the machine is not valid, after its problems are printed */
export async function validate({ json }: GlobalOptions, io: Io, file: string): Promise<void> {
  const report = inspectMachineFile(await readJsonFile(file));
  printResult(io, json, report, ({ valid, warnings }, paint) => [
    ...(valid ? [`${paint('green', 'valid')}: ${file}`] : []),
    ...warningLines(warnings, paint),
  ]);
  if (!report.valid) throw invalidMachineFile(file, report);
}
