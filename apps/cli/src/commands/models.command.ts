import { type Command, Option } from 'commander';
import { RejectionError } from '#lib/engine';
import { summarizeLlmCalls, unknownPriceVersion } from '#lib/projections';
import { askRows } from '../engine/ask-rows.js';
import { settingsFor } from '../engine/settings-for.js';
import { modelLines } from '../format/model-lines.js';
import { printResult } from '../format/print-result.js';
import { time } from '../input/time.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

interface ModelsOptions extends GlobalOptions {
  readonly by: 'model' | 'day';
  readonly from?: string;
  readonly to?: string;
  readonly machine?: string;
  readonly prices?: string;
}

export function addModels(program: Command, io: Io): void {
  program
    .command('models')
    .description(
      'what each model did: calls, tool calls, fallbacks, bad arguments, failures, tokens, cost, latency',
    )
    .addOption(
      new Option('--by <what>', 'a line for each model, or for each model and UTC day')
        .choices(['model', 'day'])
        .default('model'),
    )
    .option('--from <time>', 'requested at or after this time (ISO 8601)', time)
    .option('--to <time>', 'requested before this time', time)
    .option('--machine <name>', 'in sessions of this machine alone')
    .option(
      '--prices <version>',
      'price every call by this version of REDIAL_PRICES, not by the one of its time',
    )
    .action(async (_options: unknown, command: Command) => {
      await models(command.optsWithGlobals<ModelsOptions>(), io);
    });
}

async function models(options: ModelsOptions, io: Io): Promise<void> {
  const { dataDir, json, by, from, to, machine, prices: priceVersion } = options;
  const { prices } = settingsFor(dataDir);
  const unknown = unknownPriceVersion(prices, priceVersion);
  if (unknown) throw new RejectionError(unknown);
  const question = {
    by,
    prices,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(machine !== undefined && { machineName: machine }),
    ...(priceVersion !== undefined && { priceVersion }),
  };
  const items = await askRows(dataDir, ['llm_calls'], (db) => summarizeLlmCalls(db, question));
  printResult(io, json, { items }, () => modelLines(items));
}
