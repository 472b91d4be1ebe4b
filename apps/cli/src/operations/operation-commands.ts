import { Argument, type Command } from 'commander';
import { fromText, type JsonSchema, type OperationEntry } from '#lib/operations';
import type { GlobalOptions } from '../commands/global-options.js';
import { actorTokenLines } from '../format/actor-token-lines.js';
import { printResult } from '../format/print-result.js';
import { ID_HELP } from '../input/named-id.js';
import { readJsonFile } from '../input/read-json-file.js';
import { type Io, printLines } from '../io.js';
import { linesOf } from './answer-lines.js';
import { callOperation, manifest } from './call-operation.js';
import { type CommandField, optionKey, optionName, readCommandWords } from './command-words.js';
import { optionFor } from './command-option.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the groups of commands are about. */
const GROUPS: { readonly [name: string]: string } = {
  machines: 'machines: what may be decided, state by state',
  people: 'people, their roles and their tokens',
};

/** Adds the command of an operation. Words before the last make groups. */
export function addOperation(program: Command, io: Io, id: string): void {
  const entry = manifest().operations.find((one) => one.id === id);
  if (entry?.cli === undefined) throw new TypeError(`${id} is no operation with a command.`);
  addCommand(program, io, entry, entry.cli);
}

/** Adds the commands of all operations that are not there yet. */
export function addOtherOperations(program: Command, io: Io): void {
  for (const entry of manifest().operations)
    if (entry.cli !== undefined && !isThere(program, entry.cli)) addCommand(program, io, entry, entry.cli);
}

function isThere(program: Command, cli: string): boolean {
  const { words } = readCommandWords(cli);
  let group: Command | undefined = program;
  for (const word of words) group = group?.commands.find((one) => one.name() === word);
  return group !== undefined;
}

function addCommand(program: Command, io: Io, entry: OperationEntry, cli: string): void {
  const { words, args, options: named } = readCommandWords(cli);
  const group = words.slice(0, -1).reduce(subCommand, program);
  const command = group.command(words.at(-1) ?? '').description(decapitalized(entry.summary));
  for (const { name, field, isRequired } of args)
    command.addArgument(argumentFor(entry, field, name, isRequired));
  const options = optionsOf(entry, args, named);
  for (const option of options) {
    const isMandatory = entry.input.required.includes(option.field) && option.value === undefined;
    command.addOption(optionFor(option, { ...schemaOf(entry, option.field) }, isMandatory));
  }
  if (entry.kind === 'command') command.option('--key <key>', 'the same key and input again: nothing new');
  command.action(async (...given: unknown[]) => {
    const said = command.optsWithGlobals<GlobalOptions & Readonly<Record<string, unknown>>>();
    const fields = [
      ...args.map(
        ({ field }, index) => [field, fromText(given[index], entry.input.properties[field])] as const,
      ),
      ...options.map(({ field, name }) => [field, said[optionKey(name)]] as const),
    ];
    const input = await withFile(
      entry,
      Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    );
    const answer = await callOperation(entry, input, said, io);
    printResult(io, said.json, answer, (value, paint) => linesOf(entry.id, value, paint, said.dataDir));
    if (!said.json) printLines(io.err, actorTokenLines(tokensIn(answer)));
  });
}

function argumentFor(entry: OperationEntry, field: string, name: string, isRequired = false): Argument {
  const shown = field === entry.whole ? `${name}.json` : name;
  return new Argument(isRequired ? `<${shown}>` : `[${shown}]`, description(entry, field));
}

/** A definition is in a file, which the command line names. */
async function withFile({ whole }: OperationEntry, input: Fields): Promise<Fields> {
  return whole === undefined ? input : { ...input, [whole]: await readJsonFile(String(input[whole])) };
}

/** Tokens of people are printed for the one who made them, not among the results. */
function tokensIn(answer: unknown): Readonly<Record<string, string>> | undefined {
  const {
    actorTokens,
    actorToken,
    specialistId = '',
  } = (answer ?? {}) as {
    readonly actorTokens?: Readonly<Record<string, string>>;
    readonly actorToken?: string;
    readonly specialistId?: string;
  };
  return actorToken === undefined ? actorTokens : { [specialistId]: actorToken };
}

/** Where a page begins and how new it is are no options: a list comes whole, or its first `--limit`. */
function optionsOf(
  { input }: OperationEntry,
  args: readonly CommandField[],
  named: readonly CommandField[],
): readonly CommandField[] {
  const known = new Map(named.map((option) => [option.field, option]));
  return Object.keys(input.properties)
    .filter((field) => !['minPosition', 'cursor'].includes(field))
    .filter((field) => !args.some((argument) => argument.field === field))
    .map((field) => known.get(field) ?? { field, name: optionName(field) });
}

function subCommand(group: Command, word: string): Command {
  const there = group.commands.find((one) => one.name() === word);
  return there ?? group.command(word).description(GROUPS[word] ?? '');
}

function schemaOf({ input }: OperationEntry, field: string): JsonSchema {
  const schema = input.properties[field] ?? {};
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
