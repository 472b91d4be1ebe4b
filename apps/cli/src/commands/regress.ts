import { access, constants, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MachineDefinition } from '#lib/decisions/machines';
import { EngineSettings, eventCatalogue } from '#lib/engine/core';
import { type JudgedHistory, regress as compare, Today } from '#lib/histories/core';
import { InvalidInput, Regressed } from '../error-classes.js';
import type { ExitCode } from '../exit-codes.js';
import { junitReport } from '../format/junit.js';
import { judgedLines, regressionFix, regressionLines, regressionText } from '../format/regress-lines.js';
import { importedOptions } from '../input/imported-options.js';
import type { GlobalOptions } from '../input/options.js';
import { readMachineFile } from '../input/read-machine-file.js';
import { type Io, paintFor, printJson, printLines } from '../io.js';
import { writing } from '../output-file.js';

import { isHistoryFile } from '../input/history-file.js';

interface RegressOptions extends GlobalOptions {
  readonly machine?: readonly string[];
  readonly junit?: string;
  readonly newest?: true;
}

/** Histories between two lines of progress. A smaller corpus is finished before a person asks. */
const SHOWN_EVERY = 100;

export async function regress(options: RegressOptions, io: Io, named: readonly string[]): Promise<void> {
  const { json, junit, newest = false } = options;
  const imported = importedOptions() ?? {};
  const machines = await machinesOf(options.machine ?? []);
  // Checked first: a comparison may take long.
  if (junit !== undefined) await writing(junit, () => access(dirname(junit), constants.W_OK));
  const { workflows } = new EngineSettings({ workflows: imported.workflows ?? [] });
  const today = new Today({ machines, functions: imported, workflows, newest });
  const codec = eventCatalogue(workflows.all);
  const paint = paintFor(io.out);
  const files = await historyFilesIn(named);
  let done = 0;
  const judged = (history: JudgedHistory): void => {
    done += 1;
    if (done % SHOWN_EVERY === 0 && io.err.isTTY) printLines(io.err, [`regress: ${done} of ${files.length}`]);
    if (!json) printLines(io.out, judgedLines(history, paint));
  };
  const regression = await compare(files, today, { codec, engine: new EngineSettings({}).workflows }, judged);
  if (json) printJson(io, regression);
  else printLines(io.out, regressionLines(regression, paint, machines.length > 0));
  // The results are printed first, so that they are shown even if the report cannot be written.
  if (junit !== undefined) await writing(junit, () => writeFile(junit, junitReport(regression)));
  if (regression.exitCode !== 0)
    throw new Regressed(
      regression.exitCode as ExitCode,
      regressionText(regression),
      regressionFix(regression),
    );
}

/** @throws InvalidInput for a file that cannot be used, and for two of one machine */
async function machinesOf(files: readonly string[]): Promise<readonly MachineDefinition[]> {
  const machines = new Map<string, MachineDefinition>();
  for (const file of files) {
    const { machine } = await readMachineFile(file);
    const { machineName } = machine;
    if (machines.has(machineName))
      throw new InvalidInput(
        `--machine ${file}`,
        `the machine ${machineName} is given twice`,
        'Give one file',
      );
    machines.set(machineName, machine);
  }
  return [...machines.values()];
}

/**
 * The history files that a command line names: files themselves, folders with all their subfolders, `*.jsonl` only, sorted by name. A
 * missing path is kept: that it cannot be read is a result.
 */
async function historyFilesIn(named: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of named) files.push(...((await isFolder(path)) ? await filesBelow(path) : [path]));
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && isHistoryFile(entry.name));
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}
