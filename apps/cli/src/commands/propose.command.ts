import type { Command } from 'commander';
import { withEngineOnLog } from '../engine/with-command-engine.js';
import { printResult } from '../format/print-result.js';
import { proposalLines } from '../format/session-lines.js';
import { actingAs, TOKEN_HELP, type TokenOption } from '../input/acting-as.js';
import { type MetaOptions, readMeta } from '../input/read-meta.js';
import { ID_HELP, sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

interface ProposeOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly as: string;
  readonly reasoning?: string;
}

export function addPropose(program: Command, io: Io): void {
  program
    .command('propose')
    .description(
      'propose a transition for a specialist; without one the specialist is asked, and its model called',
    )
    .argument('<session>', ID_HELP)
    .argument('[transition]', 'one that the state offers')
    .requiredOption('--as <specialist>', 'the proposer')
    .option('--token <token>', `for a person: ${TOKEN_HELP}`)
    .option('--reasoning <text>', 'why')
    .option('--meta <json>', 'what the proposal brings along, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .action(async (session: string, transition: string | undefined, _options: unknown, command: Command) => {
      await propose(session, transition, command.optsWithGlobals<ProposeOptions>(), io);
    });
}

async function propose(
  session: string,
  transitionName: string | undefined,
  options: ProposeOptions,
  io: Io,
): Promise<void> {
  const { as: specialistId, reasoning, dataDir, json } = options;
  const sessionId = await sessionIdOf(session, dataDir);
  const metaJson = await readMeta(options);
  const input = {
    sessionId,
    specialistId,
    ...(transitionName !== undefined && { transitionName }),
    ...(reasoning !== undefined && { reasoning }),
    ...(metaJson && { metaJson }),
  };
  const proposal = await withEngineOnLog(dataDir, io.err, ({ redial }) =>
    redial.submitProposal(input, actingAs(options)),
  );
  printResult(io, json, proposal, (one) => proposalLines([one]));
}
