import { Command } from 'commander';
import { explain } from '#lib/kernel';
import * as byHand from './commands/hand-written-commands.js';
import { exitCodeHelp } from './exit-codes.js';
import type { GlobalOptions } from './input/options.js';
import type { Io } from './io.js';
import type { OperationId } from './operations/call-operation.js';
import { addOperation, addOtherOperations, addWords } from './operations/operation-commands.js';
import { packageVersion } from './package-root.js';

/** In the order of `--help`: commands by hand, and declared operations by name. */
const GROUPS: { readonly [heading: string]: readonly (byHand.HandWritten | OperationId)[] } = {
  Sessions: [
    byHand.validate,
    byHand.run,
    byHand.drive,
    byHand.tick,
    'listSessions',
    byHand.inspect,
    'listLlmCallsOfSession',
    'getLlmCall',
    byHand.replay,
  ],
  Decisions: ['getInbox', byHand.decide, 'submitProposal', 'submitArbitration', 'evaluateConsensus'],
  Monitoring: [
    'getCollapseMetrics',
    'getDecisionLog',
    'getAlignment',
    'listExemplars',
    'getModelStatistics',
    'evaluateSpecialist',
  ],
  'Gates and specialists': [
    'createGate',
    'invokeGate',
    'listGates',
    'getGate',
    'deleteGate',
    'registerSpecialist',
    'listSpecialists',
    'listSpecialistVersions',
  ],
  Conversations: [byHand.chat, 'sendMessage', 'listConversations', 'getConversation'],
  'Servers and storage': [byHand.serve, byHand.mcp, ...byHand.projections, ...byHand.log],
};

/** The command line: what may be said, nothing of what it does. Throws `CommanderError` instead of ending the process. */
export function createProgram(io: Io): Command {
  const program = new Command('redial')
    .description(
      'Decisions of language models and people, every step recorded, every decision replayed exactly.',
    )
    .version(packageVersion())
    .option(
      '--data-dir <folder>',
      'where the event log and the read models are (REDIAL_DATA_DIR, else ./.redial)',
    )
    .option('--json', 'print JSON: one document, or one line each for what comes one by one')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: (text, write) => write(`${usageError(text)}\n`),
    })
    .exitOverride()
    .addHelpText('after', exitCodeHelp());
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(`${heading}:`);
    for (const one of commands)
      if (typeof one === 'string') addOperation(program, io, one);
      else addByHand(program, io, one);
  }
  program.commandsGroup('Operations:');
  addOtherOperations(program, io);
  return program;
}

function addByHand(program: Command, io: Io, one: byHand.HandWritten): void {
  const { words, summary, args = {}, options = [], more } = one;
  const command = addWords(program, words.split(' '), summary);
  for (const [name, description] of Object.entries(args)) command.argument(name, description);
  for (const option of options) command.addOption(option);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  command.action(async () => {
    const work = (await one.load()) as (options: object, io: Io, ...given: unknown[]) => Promise<void>;
    await work(command.optsWithGlobals<GlobalOptions>(), io, ...(command.processedArgs as unknown[]));
  });
}

/** Commander says `error: what is wrong`, at times with a guess on a second line. */
function usageError(text: string): string {
  const [why = '', ...guess] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const hints = guess.map((line) => line.replaceAll(/[()]/g, ''));
  return explain('Usage', 'redial', why, [...hints, 'See redial --help'].join(' '));
}
