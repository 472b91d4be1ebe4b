import type { Command } from 'commander';
import { RejectionError } from '#lib/engine';
import { isRejection } from '#lib/kernel';
import { alignmentUnder } from '#lib/projections';
import { DECIDING_RULE, parseScoringRule, scoringRuleText } from '#lib/specialist';
import { askAboutMachine } from '../engine/ask-rows.js';
import { alignmentLines } from '../format/alignment-lines.js';
import { printResult } from '../format/print-result.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

interface AlignmentOptions extends GlobalOptions {
  readonly rule: string;
}

export function addAlignment(program: Command, io: Io): void {
  program
    .command('alignment')
    .description('how well the proposers of a machine agree with people; sessions go by the default rule')
    .argument('<machine>', 'its name; of a gate, the name of the gate')
    .option(
      '--rule <rule>',
      'wilson or ratio, with ;halfLife=<comparisons> if the past is to fade',
      scoringRuleText(DECIDING_RULE),
    )
    .action(async (machineName: string, _options: unknown, command: Command) => {
      const { dataDir, json, rule: text } = command.optsWithGlobals<AlignmentOptions>();
      const rule = parseScoringRule(text);
      if (isRejection(rule)) throw new RejectionError(rule);
      const alignment = await askAboutMachine(dataDir, machineName, ['alignment'], (db) =>
        alignmentUnder(db, { machineName, rule }),
      );
      printResult(io, json, alignment, alignmentLines);
    });
}
