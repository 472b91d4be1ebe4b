import { InvalidArgumentError, Option } from 'commander';
import { fromText } from '#lib/kernel';
import type { JsonSchema } from '#lib/operations';
import { notNegative, positive, repeated } from '../input/options.js';
import { type CommandField, optionName } from './command-words.js';

type FieldSchema = JsonSchema & {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly anyOf?: readonly { readonly type?: string; readonly const?: unknown }[];
  readonly items?: { readonly type?: string; readonly enum?: readonly string[] };
  readonly description?: string;
  readonly default?: string | number | boolean;
};

/** An option of a command, described and read by the schema of its field. A boolean field is a flag. */
export function optionFor(
  { name, field, value, takesFalse }: CommandField,
  schema: FieldSchema,
  isRequired: boolean,
): Option {
  const { description = '', type } = schema;
  if (takesFalse) return new Option(`--${name} [boolean]`, description).argParser(trueOrFalse);
  if (type === 'boolean') return new Option(`--${name}`, description);
  const word = type === 'integer' || type === 'number' ? 'n' : optionName(field);
  const option = new Option(`--${name} <${word}>`, describedWhole(schema, value));
  if (schema.enum) option.choices(schema.enum);
  else if (isOneOrSeveral(schema)) option.argParser(repeated);
  else if (isOfTexts(schema)) option.argParser(addedAll);
  // Commander takes a parsed `null` as a missing value.
  else if (!isOfTypes(schema)) option.argParser((text) => valueOf(text, schema));
  if (value !== undefined) option.default(fromText(value, schema));
  return option.makeOptionMandatory(isRequired);
}

/** Whether a value of this schema has one of several types: its text is read only when the command runs. */
export function isOfTypes({ type }: JsonSchema): boolean {
  return Array.isArray(type);
}

function isOneOrSeveral({ anyOf = [] }: FieldSchema): boolean {
  return anyOf.some((each) => each.type === 'array');
}

function isOfTexts({ type, items }: FieldSchema): boolean {
  return type === 'array' && (items?.type === 'string' || items?.enum !== undefined);
}

/** An option with several texts: each use adds one text, or the texts of a JSON array. */
function addedAll(text: string, before: readonly string[] = []): readonly string[] {
  const value = fromText(text, { type: 'array' });
  return Array.isArray(value) ? [...before, ...(value as readonly string[])] : repeated(text, before);
}

/** @throws InvalidArgumentError */
function trueOrFalse(text: string): unknown {
  const value = fromText(text, { type: 'boolean' });
  if (typeof value === 'boolean') return value;
  throw new InvalidArgumentError('It is neither true nor false.');
}

/** The description of an option, with its default, and whether it takes several values. */
function describedWhole(schema: FieldSchema, value?: string): string {
  const { description = '', default: preset } = schema;
  const isShown = preset === undefined || value !== undefined;
  const text = isShown ? description : `${description} (default: ${preset})`;
  const isRepeated = isOneOrSeveral(schema) || isOfTexts(schema);
  return isRepeated ? [...(text ? [text] : []), 'may be given several times'].join('; ') : text;
}

/** @throws InvalidArgumentError for text that does not fit the schema */
function valueOf(text: string, schema: FieldSchema): unknown {
  const { type = typesIn(schema), format, minimum = -Infinity } = schema;
  if (format === 'date-time') return time(text);
  if (type === 'integer' && minimum > 0) return positive(text);
  if (type === 'number') return notNegative(text);
  const value = fromText(text, { type });
  if (type === 'integer' && typeof value !== 'number') throw new InvalidArgumentError('It is not a number.');
  if (type === 'object' && typeof value !== 'object') throw new InvalidArgumentError('It is not JSON.');
  return value;
}

/** The types of a value that has several forms. */
function typesIn({ anyOf }: FieldSchema): readonly string[] | undefined {
  return anyOf?.map(({ type, const: only }) => type ?? typeof only);
}

/** A time from the command line, unchanged. @throws InvalidArgumentError */
function time(text: string): string {
  if (/^\d{4}-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It is not an ISO 8601 time, such as 2026-01-31 or 2026-01-31T12:00:00Z.');
}
