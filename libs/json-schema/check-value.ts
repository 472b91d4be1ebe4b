import {
  Allowance,
  AllowanceExceeded,
  isDeeperThan,
  type JsonObject,
  jsonText,
  RecentMap,
} from '#lib/kernel';
import { type SchemaError, WholeErrors } from './errors.js';
import { Evaluation } from './evaluation.js';
import { UnusableSchema } from './evaluator.js';
import { inspectSchema } from './inspect-schema.js';
import { limits } from './limits.js';

/**
 * The differences of a value from a schema: at most 20 errors, in the order of the check, and the number of all errors. Both are empty if the value
 * fits.
 */
export interface Findings {
  readonly errors: readonly SchemaError[];
  readonly count: number;
}

/**
 * Checks a JSON value against a schema, within bounds of steps and size that are the same everywhere. A value above them does not fit, and the one
 * error is `tooLargeToCheck`. Never throws: no value fits a schema that `inspectSchema` finds problems in, and the one error is `schema`.
 * @param unit the allowance of the unit that the check is a part of, such as a reply with many calls: the check spends from it
 */
export function checkValue(
  schema: JsonObject | boolean,
  value: unknown,
  unit: Allowance = new Allowance(),
): Findings {
  if (typeof schema === 'boolean') return checkValue({ allOf: [schema] }, value, unit);
  try {
    if (isTooLarge(value, unit)) return tooLarge({ bytes: limits.valueBytes, levels: limits.valueDepth });
    if (!isUsable(schema)) return UNUSABLE;
    return unit.part({ steps: limits.steps }, (allowance) =>
      findings(new Evaluation(schema, allowance), value),
    );
  } catch (error) {
    if (error instanceof AllowanceExceeded) return tooLarge({ steps: limits.steps });
    if (error instanceof UnusableSchema) return UNUSABLE;
    throw error;
  }
}

/**
 * Checks a value of bounded size against one of the engine's own schemas, without bounds. Paths are whole, and the params of an enum or a closed
 * object hold `allowedValues`.
 */
export function checkShape(schema: JsonObject, value: unknown): Findings {
  return findings(new Evaluation(schema, new Allowance(), new WholeErrors()), value);
}

function findings(evaluation: Evaluation, value: unknown): Findings {
  evaluation.check(value);
  const { first, count } = evaluation.errors;
  return { errors: first, count };
}

const UNUSABLE: Findings = { errors: [{ path: '', keyword: 'schema', params: {} }], count: 1 };

/** Inspected schemas. Each is used for many values, and never changes. */
const usable = new WeakSet<JsonObject>();
/** Inspected schemas by their texts, because each session holds a new copy of its machine's schemas. */
const usableTexts = new RecentMap<true>(100);
const LONGEST_TEXT = 10_000;

function isUsable(schema: JsonObject): boolean {
  if (usable.has(schema)) return true;
  if (isDeeperThan(schema, 2 * limits.schemaDepth)) return false;
  const text = jsonText(schema);
  if (!usableTexts.get(text)) {
    if (inspectSchema(schema, { patterns: false }).length > 0) return false;
    if (text.length <= LONGEST_TEXT) usableTexts.set(text, true);
  }
  usable.add(schema);
  return true;
}

function isTooLarge(value: unknown, unit: Allowance): boolean {
  if (isDeeperThan(value, limits.valueDepth)) return true;
  const text = jsonText(value);
  unit.spend(text.length / 16);
  return Buffer.byteLength(text) > limits.valueBytes;
}

function tooLarge(params: JsonObject): Findings {
  return { errors: [{ path: '', keyword: 'tooLargeToCheck', params }], count: 1 };
}
