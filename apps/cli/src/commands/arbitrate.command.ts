import type { Command } from 'commander';
import { withEngineOnLog } from '../engine/with-command-engine.js';
import { arbitrationLines, notDecided } from '../format/arbitration-lines.js';
import { printResult } from '../format/print-result.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

interface ArbitrateOptions extends GlobalOptions {
  readonly arbiter?: string;
}

export function addArbitrate(program: Command, io: Io): void {
  program
    .command('arbitrate')
    .description('put the proposals of the round before its arbiter; consensus is executed')
    .argument('<session>', ID_HELP)
    .option('--arbiter <id>', 'this one, instead of the one of the state')
    .action(async (session: string, _options: unknown, command: Command) => {
      const { arbiter, dataDir, json } = command.optsWithGlobals<ArbitrateOptions>();
      const sessionId = await sessionIdOf(session, dataDir);
      const input = { sessionId, ...(arbiter !== undefined && { specialistId: arbiter }) };
      const result = await withEngineOnLog(dataDir, io.err, ({ redial }) => redial.submitArbitration(input));
      printResult(io, json, result, arbitrationLines);
      if (!result.guardsPass) throw notDecided(result);
    });
}
