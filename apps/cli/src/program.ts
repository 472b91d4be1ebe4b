import { Command } from 'commander';
import { engineVersion, explain } from '#lib/kernel';
import type { HandWritten } from './commands/hand-written.js';
import * as byHand from './commands/hand-written-commands.js';
import { exitCodeHelp } from './exit-codes.js';
import type { GlobalOptions } from './input/options.js';
import type { Io } from './io.js';
import { addOperations, addWords } from './operations/operation-commands.js';

/** In the order of `--help`: hand-written commands, and the first words of those of operations. */
const GROUPS: { readonly [heading: string]: readonly (HandWritten | string)[] } = {
  Sessions: [
    byHand.validate,
    byHand.prove,
    byHand.run,
    byHand.drive,
    byHand.tick,
    'sessions',
    byHand.inspect,
    byHand.why,
    byHand.diff,
    'events',
    'calls',
    'webhook-calls',
    'show',
    byHand.replay,
    byHand.exportHistory,
    byHand.fork,
    byHand.regress,
  ],
  Decisions: [
    'inbox',
    'tasks',
    byHand.answerTask,
    byHand.decide,
    'propose',
    'proposals',
    'arbitrate',
    'consensus',
  ],
  Definitions: ['machines', 'diagram', 'specialists', 'gates', 'agents', 'tools'],
  'Conversations and runs': [byHand.chat, 'conversations', 'runs'],
  Monitoring: [
    'metrics',
    'decisions',
    'alignment',
    byHand.simulate,
    'exemplars',
    'models',
    'llm-calls',
    'evaluate',
    'evaluations',
    byHand.runExperiment,
    byHand.resumeExperiment,
    'experiments',
    byHand.exportDataset,
  ],
  'Servers and storage': [
    byHand.serve,
    byHand.console,
    byHand.mcp,
    'people',
    'principal',
    'providers',
    'seal',
    'seals',
    byHand.verify,
    'capabilities',
    'recovery',
    'reactions',
    'hooks',
    'subjects',
    byHand.keys,
    ...byHand.projections,
    ...byHand.log,
    'log-events',
  ],
};

/** The words and options of the command line, without the work of its commands. Throws `CommanderError` instead of ending the process. */
export function createProgram(io: Io): Command {
  const program = new Command('redial')
    .description(
      'Decisions of language models and people, every step recorded, every decision replayed exactly.',
    )
    .version(engineVersion())
    .option(
      '--data-dir <folder>',
      'where the event log and the read models are (REDIAL_DATA_DIR, else ./.redial)',
    )
    .option(
      '--import <module>',
      'a module that exports options of forRoot: the functions and workflows of an application',
    )
    .option('--json', 'print JSON: one document, or a line for each event')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: (text, write) => write(`${usageError(text)}\n`),
    })
    .exitOverride()
    .hook('preSubcommand', refuseFormerRuns)
    .hook('preAction', importFor)
    .addHelpText('after', exitCodeHelp());
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(`${heading}:`);
    for (const one of commands)
      if (typeof one === 'string') addOperations(program, io, (word) => word === one);
      else addByHand(program, io, one);
  }
  program.commandsGroup('Operations:');
  const placed = Object.values(GROUPS).flat();
  addOperations(program, io, (word) => !placed.includes(word));
  return program;
}

function addByHand(program: Command, io: Io, one: HandWritten): void {
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

async function importFor(_: Command, command: Command): Promise<void> {
  const { import: module } = command.optsWithGlobals<GlobalOptions>();
  if (module === undefined) return;
  const { importOptions } = await import('./input/imported-options.js');
  await importOptions(module);
}

/** In 0.2.0 `run`, which takes a file, was also the group of these commands. */
function refuseFormerRuns(program: Command): void {
  const [word, verb] = program.args;
  const runs = program.commands.find((command) => command.name() === 'runs');
  if (word === 'run' && runs?.commands.some((command) => command.name() === verb))
    program.error(`error: unknown command 'run ${verb}'\n(Did you mean runs ${verb}?)`);
}

/** Commander says `error: <problem>`, at times with a guess on a second line. */
function usageError(text: string): string {
  const [why = '', ...guess] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const hints = guess.map((line) => line.replaceAll(/[()]/g, ''));
  return explain('Usage', 'redial', why, [...hints, 'See redial --help'].join(' '));
}
