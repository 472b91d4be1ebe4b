import { Argument, type Command } from 'commander';
import { fromText } from '#lib/kernel';
import type { JsonSchema, OperationEntry } from '#lib/operations';
import { type GlobalOptions, ID_HELP, TOKEN_HELP } from '../input/options.js';
import type { Io } from '../io.js';
import { isOfTypes, optionFor } from './command-option.js';
import {
  type CommandField,
  type Fields,
  META,
  optionKey,
  optionName,
  readCommandWords,
} from './command-words.js';
import { manifest } from './manifest.js';

/** The groups of commands, by the resource in the path of their operations, with their descriptions. */
const GROUPS: { readonly [name: string]: string } = {
  agents: 'agents of conversations, in versions',
  conversations: 'their turns, events and signals',
  evaluations: 'evaluations of specialists',
  experiments: 'variants of specialists asked again about decided rounds: run, show, items, resume, cancel',
  gates: 'one question that is decided again and again',
  history: 'sessions, runs and conversations as history files: export',
  keys: 'the keys of subjects: rotate the master key',
  log: 'the event log: copy, check and claim it',
  machines: 'machines in versions: define, show, list',
  people: 'people, their roles and their tokens',
  projections: 'the read models: positions and rebuilding',
  seals: 'seals of the log, newest first, and the last one',
  hooks: 'addresses that get messages about events: add, test, list their deliveries',
  subjects: 'the subjects of sessions, runs and conversations: show, erase',
  reactions: 'reactions of applications to events, and their parked deliveries',
  recovery: 'runs and sessions that this process could not continue',
  runs: 'runs of any workflow: start, signal, cancel, show, replay',
  specialists: 'proposers and arbiters, in versions',
  tasks: 'questions that wait for people: list, show, claim, assign, comment, answer',
  tools: 'tools that models and code call',
};

/** Other spellings, most of them of 0.2.0. Not `run`, which is a command. */
const FORMER: { readonly [name: string]: string } = {
  conversations: 'conversation',
  experiments: 'experiment',
  gates: 'gate',
  tools: 'tool',
};

/** Commands that run if only the name of their group is given. */
const DEFAULTS: readonly string[] = ['tasks list'];

/** Adds a command with these words. The words before the last one are groups. */
export function addWords(program: Command, words: readonly string[], summary: string): Command {
  const group = words.slice(0, -1).reduce(subCommand, program);
  const isDefault = DEFAULTS.includes(words.join(' '));
  return group.command(words.at(-1) ?? '', { isDefault }).description(summary);
}

/** Adds the commands of the operations whose first word passes `isAdded`. */
export function addOperations(program: Command, io: Io, isAdded: (word: string) => boolean): void {
  for (const entry of manifest().operations)
    if (entry.cli !== undefined && isAdded(firstWord(entry.cli))) addCommand(program, io, entry, entry.cli);
}

function firstWord(cli: string): string {
  return cli.split(' ', 1)[0] ?? '';
}

function addCommand(program: Command, io: Io, entry: OperationEntry, cli: string): void {
  const { words, args, options: named } = readCommandWords(cli);
  const command = addWords(program, words, decapitalized(entry.summary));
  for (const { name, field, isRequired } of args)
    command.addArgument(argumentFor(entry, field, name, isRequired));
  const options = optionsOf(entry, args, named);
  if (META in entry.input.properties) addMeta(command, description(entry, META));
  for (const option of options) {
    const isMandatory = entry.input.required.includes(option.field) && option.value === undefined;
    command.addOption(optionFor(option, { ...schemaOf(entry, option.field) }, isMandatory));
  }
  if (entry.access === 'reviewer') command.option('--token <token>', `for a person: ${TOKEN_HELP}`);
  if (entry.kind === 'command') command.option('--key <key>', 'the same key and input again change nothing');
  command.action(async (...given: unknown[]) => {
    const { runOperation } = await import('./run-operation.js');
    const said = command.optsWithGlobals<GlobalOptions & Fields>();
    const fields = [
      ...args.map(({ field }, index) => [field, fromText(given[index], entry.input.properties[field])]),
      ...options.map(({ field, name }) => {
        const schema = schemaOf(entry, field);
        const value = said[optionKey(name)];
        return [field, isOfTypes(schema) ? fromText(value, schema) : value] as const;
      }),
    ] as const;
    await runOperation(entry, Object.fromEntries(fields), said, io);
  });
}

function argumentFor(entry: OperationEntry, field: string, name: string, isRequired = false): Argument {
  const shown = field === entry.whole ? `${name}.json` : name;
  return new Argument(isRequired ? `<${shown}>` : `[${shown}]`, description(entry, field));
}

function addMeta(command: Command, text: string): void {
  command.option('--meta <json>', `${text === '' ? 'facts of the case' : text}, as a JSON object`);
  command.option('--meta-file <file>', 'the same, from a file');
}

/** Cursor and minimum position are not options: a list is printed whole, or its first `--limit` items. */
function optionsOf(
  { input }: OperationEntry,
  args: readonly CommandField[],
  named: readonly CommandField[],
): readonly CommandField[] {
  const known = new Map(named.map((option) => [option.field, option]));
  return Object.keys(input.properties)
    .filter((field) => !['minPosition', 'cursor', META].includes(field))
    .filter((field) => !args.some((argument) => argument.field === field))
    .map((field) => known.get(field) ?? { field, name: optionName(field) });
}

function subCommand(group: Command, word: string): Command {
  const there = group.commands.find((one) => one.name() === word);
  if (there) return there;
  const made = group.command(word).description(GROUPS[word] ?? '');
  return FORMER[word] === undefined ? made : made.alias(FORMER[word]);
}

/** The schema of a field, also if it is referred to by name. */
function schemaOf({ input }: OperationEntry, field: string): JsonSchema {
  const given = input.properties[field] ?? {};
  const { $ref: ref } = given;
  const schema = typeof ref === 'string' ? manifest().schemas[ref.slice(ref.lastIndexOf('/') + 1)] : given;
  return { ...schema, description: description({ input }, field) };
}

function description({ input }: Pick<OperationEntry, 'input'>, field: string): string {
  const text = decapitalized((input.properties[field]?.['description'] as string | undefined) ?? '');
  if (field !== 'sessionId' && field !== 'callId') return text;
  return text === '' ? ID_HELP : `${text}: ${ID_HELP}`;
}

/** Help texts begin in lower case. */
function decapitalized(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}
