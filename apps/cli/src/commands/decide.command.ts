import type { Command } from 'commander';
import { arbitrationLines, notDecided } from '../format/arbitration-lines.js';
import { printResult } from '../format/print-result.js';
import { TOKEN_HELP, type TokenOption } from '../input/acting-as.js';
import { type MetaOptions, readMeta } from '../input/read-meta.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import { withOperations } from '../operations/call-operation.js';
import type { GlobalOptions } from './global-options.js';

interface DecideOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly as: string;
  readonly reasoning?: string;
}

export function addDecide(program: Command, io: Io): void {
  program
    .command('decide')
    .description('decide a round as a person, whatever was proposed')
    .argument('<session>', ID_HELP)
    .argument('<transition>', 'one that the state offers')
    .requiredOption('--as <human>', 'the human specialist who decides')
    .option('--token <token>', TOKEN_HELP)
    .option('--reasoning <text>', 'why')
    .option('--meta <json>', 'what the decision brings along, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .action(async (session: string, transition: string, _options: unknown, command: Command) => {
      await decide(session, transition, command.optsWithGlobals<DecideOptions>(), io);
    });
}

async function decide(
  session: string,
  transitionName: string,
  options: DecideOptions,
  io: Io,
): Promise<void> {
  const { as: specialistId, reasoning, json } = options;
  const sessionId = await sessionIdOf(session, options.dataDir);
  const metaJson = await readMeta(options);
  const given = { ...(reasoning !== undefined && { reasoning }), ...(metaJson && { metaJson }) };
  await withOperations('submitArbitration', options, io, async (call) => {
    const input = { sessionId, transitionName, specialistId, ...given };
    const result = await call('submitArbitration', input);
    printResult(io, json, result, arbitrationLines);
    if (!result.guardsPass) throw notDecided(result);
    const { status } = await call('getSession', { sessionId });
    if (status === 'open') io.err.write(`go on with it: redial drive ${sessionId}\n`);
  });
}
