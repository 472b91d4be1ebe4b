import { isJsonObject, type JsonObject } from '#lib/kernel';
import type { Evaluator } from './evaluator.js';
import { equal, equalItems } from './equality.js';
import { hasFormat } from './formats.js';
import type { SchemaObject } from './keywords.js';
import { limits } from './limits.js';
type Means = Pick<Evaluator, 'allowance' | 'pattern'>;

/** The requirement of a keyword that the value does not meet; `undefined` if it meets it, or if the keyword is about other types. */
type Assertion = (asked: never, value: never, means: Means, schema: SchemaObject) => JsonObject | undefined;

const unless = (fits: boolean, params: JsonObject): JsonObject | undefined => (fits ? undefined : params);

const compared =
  (comparison: string, fits: (value: number, limit: number) => boolean) => (limit: number, value: unknown) =>
    typeof value === 'number' ? unless(fits(value, limit), { comparison, limit }) : undefined;

const sized =
  (
    fits: (size: number, limit: number) => boolean,
    sizeOf: (value: unknown, means: Means) => number | undefined,
  ) =>
  (limit: number, value: unknown, means: Means) => {
    const size = sizeOf(value, means);
    return size === undefined ? undefined : unless(fits(size, limit), { limit });
  };

const most = (size: number, limit: number) => size <= limit;
const least = (size: number, limit: number) => size >= limit;
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const members = (value: unknown) => (isJsonObject(value) ? Object.keys(value).length : undefined);

function characters(value: unknown, { allowance }: Means): number | undefined {
  if (typeof value !== 'string') return undefined;
  allowance.spend(value.length / 16);
  let surrogates = 0;
  for (let index = 0; index + 1 < value.length; index++) {
    if ((value.codePointAt(index) ?? 0) > 0xffff) surrogates += 1;
  }
  return value.length - surrogates;
}

/** Keywords that check a value without subschemas. */
export const ASSERTIONS: { readonly [keyword: string]: Assertion } = {
  type: (types: string | string[], value: unknown, _means, { nullable }) => {
    const fits =
      typeof types === 'string' ? isOfType(value, types) : types.some((type) => isOfType(value, type));
    return unless(fits || (nullable === true && value === null), { type: types });
  },
  enum: (allowed: readonly unknown[], value: unknown, { allowance }) =>
    unless(
      allowed.some((one) => equal(one, value, allowance)),
      {},
    ),
  const: (allowed: unknown, value: unknown, { allowance }) => unless(equal(allowed, value, allowance), {}),
  maximum: compared('<=', (value, limit) => value <= limit),
  minimum: compared('>=', (value, limit) => value >= limit),
  exclusiveMaximum: compared('<', (value, limit) => value < limit),
  exclusiveMinimum: compared('>', (value, limit) => value > limit),
  multipleOf: (multipleOf: number, value: unknown) =>
    typeof value === 'number' ? unless(Number.isInteger(value / multipleOf), { multipleOf }) : undefined,
  maxLength: sized(most, characters),
  minLength: sized(least, characters),
  pattern: (pattern: string, value: unknown, means) =>
    typeof value === 'string' ? unless(matches(pattern, value, means), { pattern }) : undefined,
  format: (format: string, value: unknown, { allowance }) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const length = Math.min(String(value).length, limits.formatLength);
    allowance.spend((length * length) / 32);
    return unless(hasFormat(format, value), { format });
  },
  maxItems: sized(most, items),
  minItems: sized(least, items),
  uniqueItems: (asked: boolean, value: unknown, { allowance }) =>
    asked && Array.isArray(value) ? equalItems(value, allowance) : undefined,
  maxProperties: sized(most, members),
  minProperties: sized(least, members),
};

/** Whether a pattern matches within a text. Spends the pattern's size times the text's length. */
export function matches(source: string, text: string, means: Means): boolean {
  const pattern = means.pattern(source);
  means.allowance.spend((pattern.size * (text.length + 1)) / 8);
  return pattern.test(text);
}

/** Whether a value has a type of JSON Schema. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
