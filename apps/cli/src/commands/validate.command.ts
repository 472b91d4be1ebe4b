import type { Command } from 'commander';
import { printResult } from '../format/print-result.js';
import { readJsonFile } from '../input/read-json-file.js';
import { inspectMachineFile, invalidMachineFile, problemLine } from '../input/read-machine-file.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addValidate(program: Command, io: Io): void {
  program
    .command('validate')
    .description('check a machine file, without a log and without defining it; 2 where it is not valid')
    .argument('<machine.json>')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const report = inspectMachineFile(await readJsonFile(file));
      printResult(io, json, report, ({ valid, warnings }, paint) => [
        ...(valid ? [`${paint('green', 'valid')}: ${file}`] : []),
        ...warnings.map((warning) => `${paint('yellow', 'warning')}: ${problemLine(warning)}`),
      ]);
      if (!report.valid) throw invalidMachineFile(file, report);
    });
}
