import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { fromText, type JsonSchema, type OperationEntry } from '#lib/operations';
import type { GlobalOptions } from '../commands/global-options.js';
import { plainLines } from '../format/plain-lines.js';
import { printResult } from '../format/print-result.js';
import type { Io } from '../io.js';
import { callOperation } from './call-operation.js';

/** Adds the commands that operations declare; words before the last make groups. */
export function addOperations(program: Command, io: Io, entries: readonly OperationEntry[]): void {
  for (const entry of entries) if (entry.cli !== undefined) addCommand(program, io, entry, entry.cli);
}

function addCommand(program: Command, io: Io, entry: OperationEntry, cli: string): void {
  const words = cli.split(' ').filter((word) => !/^[<[]/.test(word));
  const names = [...cli.matchAll(/[<[](\w+)[>\]]/g)].map(([, name = '']) => name);
  const group = words.slice(0, -1).reduce(subCommand, program);
  const command = group.command(words.at(-1) ?? '').description(entry.summary);
  for (const name of names) {
    const isRequired = cli.includes(`<${name}>`);
    command.addArgument(new Argument(isRequired ? `<${name}>` : `[${name}]`, describe(entry, name)));
  }
  const rest = Object.keys(entry.input.properties).filter((name) => !names.includes(name));
  const shown = rest.filter((name) => name !== 'minPosition');
  for (const name of shown) command.addOption(optionOf(entry, name));
  if (entry.kind === 'command') command.option('--key <key>', 'the same key and input again: nothing new');
  command.action(async (...given: unknown[]) => {
    const options = command.optsWithGlobals<GlobalOptions & Readonly<Record<string, unknown>>>();
    const fields = [
      ...names.map((name, index) => [name, given[index]] as const),
      ...shown.map((name) => [name, options[camel(optionName(name))]] as const),
    ];
    const input = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    const answer = await callOperation(entry, input, options, io);
    printResult(io, options.json, answer, (value) => plainLines(value));
  });
}

function subCommand(group: Command, word: string): Command {
  return group.commands.find((one) => one.name() === word) ?? group.command(word);
}

/** `sessionId` is `--session`, `machineName` is `--machine`, `priceVersion` is `--price-version`. */
function optionName(field: string): string {
  const short = field.replace(/(?<=.)(?:Id|Name)$/, '');
  return short.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(option: string): string {
  return option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function optionOf(entry: OperationEntry, name: string): Option {
  const schema: JsonSchema & { readonly enum?: readonly string[] } = entry.input.properties[name] ?? {};
  const word = schema['type'] === 'integer' || schema['type'] === 'number' ? 'n' : optionName(name);
  const option = new Option(`--${optionName(name)} <${word}>`, describe(entry, name));
  if (schema.enum) option.choices(schema.enum);
  else option.argParser((text) => valueOf(text, schema));
  return option.makeOptionMandatory(entry.input.required.includes(name));
}

function valueOf(text: string, schema: JsonSchema): unknown {
  const value = fromText(text, schema);
  const wanted = schema['type'];
  const isNumber = wanted === 'integer' || wanted === 'number';
  if (isNumber && typeof value !== 'number') throw new InvalidArgumentError('It is not a number.');
  if (wanted === 'object' && typeof value !== 'object') throw new InvalidArgumentError('It is not JSON.');
  return value;
}

function describe({ input }: OperationEntry, name: string): string {
  return (input.properties[name]?.['description'] as string | undefined) ?? '';
}
