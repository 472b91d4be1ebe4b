import { Command } from 'commander';

import { explain } from '#lib/kernel';
import {
  addChat,
  addDecide,
  addDrive,
  addInspect,
  addLog,
  addMcp,
  addProjections,
  addReplay,
  addRun,
  addServe,
  addTick,
  addValidate,
} from './commands/hand-written-commands.js';
import { exitCodeHelp } from './exit-codes.js';
import type { Io } from './io.js';
import { addOperation, addOtherOperations } from './operations/operation-commands.js';
import type { OperationId } from './operations/call-operation.js';
import { packageVersion } from './package-root.js';

type AddCommand = (program: Command, io: Io) => void;

/** In the order of `--help`: commands by hand, and declared operations by name. */
const groups: readonly (readonly [heading: string, commands: readonly (AddCommand | OperationId)[]])[] = [
  [
    'Sessions:',
    [
      addValidate,
      addRun,
      addDrive,
      addTick,
      'listSessions',
      addInspect,
      'listLlmCallsOfSession',
      'getLlmCall',
      addReplay,
    ],
  ],
  ['Decisions:', ['getInbox', addDecide, 'submitProposal', 'submitArbitration', 'evaluateConsensus']],
  [
    'Monitoring:',
    [
      'getCollapseMetrics',
      'getDecisionLog',
      'getAlignment',
      'listExemplars',
      'getModelStatistics',
      'evaluateSpecialist',
    ],
  ],
  [
    'Gates and specialists:',
    [
      'createGate',
      'invokeGate',
      'listGates',
      'getGate',
      'deleteGate',
      'registerSpecialist',
      'listSpecialists',
      'listSpecialistVersions',
    ],
  ],
  ['Conversations:', [addChat, 'sendMessage', 'listConversations', 'getConversation']],
  ['Servers and storage:', [addServe, addMcp, addProjections, addLog]],
];

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
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const one of commands)
      if (typeof one === 'string') addOperation(program, io, one);
      else one(program, io);
  }
  program.commandsGroup('Operations:');
  addOtherOperations(program, io);
  return program;
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
