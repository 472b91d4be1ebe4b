import type { Command } from 'commander';
import { collapseMetrics } from '#lib/projections';
import { askAboutMachine } from '../engine/ask-rows.js';
import { metricsLines } from '../format/metrics-lines.js';
import { printResult } from '../format/print-result.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

const ROWS = ['decisions', 'alignment', 'specialists'] as const;

export function addMetrics(program: Command, io: Io): void {
  program
    .command('metrics')
    .description('how far the decisions of a machine have come to need no person, and what to watch')
    .argument('<machine>', 'its name; of a gate, the name of the gate')
    .action(async (machine: string, _options: unknown, command: Command) => {
      const { dataDir, json } = command.optsWithGlobals<GlobalOptions>();
      const metrics = await askAboutMachine(dataDir, machine, ROWS, (db) => collapseMetrics(db, machine));
      printResult(io, json, metrics, metricsLines);
    });
}
