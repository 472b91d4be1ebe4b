import type { Command } from 'commander';
import { withEngineOnLog } from '../engine/with-command-engine.js';
import { consensusLines } from '../format/consensus-lines.js';
import { printResult } from '../format/print-result.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addConsensus(program: Command, io: Io): void {
  program
    .command('consensus')
    .description('what the arbiter says of the round as it is; nothing is written')
    .argument('<session>', ID_HELP)
    .action(async (session: string, _options: unknown, command: Command) => {
      const { dataDir, json } = command.optsWithGlobals<GlobalOptions>();
      const sessionId = await sessionIdOf(session, dataDir);
      const view = await withEngineOnLog(dataDir, io.err, ({ redial }) =>
        redial.evaluateConsensus(sessionId),
      );
      printResult(io, json, view, consensusLines);
    });
}
