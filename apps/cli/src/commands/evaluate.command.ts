import { type Command, Option } from 'commander';
import type { Against } from '#lib/evaluation';
import { withEngineOnLog } from '../engine/with-command-engine.js';
import { evaluationLines } from '../format/evaluation-lines.js';
import { printResult } from '../format/print-result.js';
import type { Io } from '../io.js';
import { positive } from '../input/positive.js';
import type { GlobalOptions } from './global-options.js';

interface EvaluateOptions extends GlobalOptions {
  readonly against: Against | 'record';
  readonly rounds: number;
  readonly machine?: string;
}

export function addEvaluate(program: Command, io: Io): void {
  program
    .command('evaluate')
    .description('ask a specialist anew about past rounds, and compare with what was decided')
    .argument('<specialist>')
    .addOption(
      new Option(
        '--against <what>',
        'what people decided, every decision, or what it proposed then (no call)',
      )
        .choices(['exemplars', 'decisions', 'record'])
        .default('exemplars'),
    )
    .option('--rounds <n>', 'past rounds at most', positive, 50)
    .option('--machine <name>', 'its machine, where several have one of this id')
    .action(async (specialistId: string, _options: unknown, command: Command) => {
      const { dataDir, json, against, rounds, machine } = command.optsWithGlobals<EvaluateOptions>();
      const of = { specialistId, ...(machine !== undefined && { specialistMachine: machine }) };
      const input = { ...of, against, maxRounds: rounds };
      const answer = await withEngineOnLog(dataDir, io.err, ({ redial }) =>
        redial.evaluations.evaluate(input),
      );
      printResult(io, json, answer, evaluationLines);
    });
}
