import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { type Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import { unboundedPart } from './bounds.rules.js';
import { spendOnExpression } from './cost.rules.js';

const LIMITS = {
  maxAstNodes: 256,
  maxDepth: 32,
  maxListElements: 64,
  maxMapEntries: 64,
  maxCallArguments: 8,
};
/** Steps of parsing and checking a text, and each character of it. */
const STEPS_OF_A_TEXT = 300;
const STEPS_OF_A_CHARACTER = 4;

const conditions = environment();
const gates = environment().registerVariable('args', 'map<string, dyn>');

function environment(): Environment {
  const values = new Environment({ limits: LIMITS })
    .registerVariable('data', 'map<string, dyn>')
    .registerVariable('context', 'map<string, dyn>')
    .registerVariable('session', 'map<string, dyn>');
  return values.registerVariable('history', 'list<map<string, dyn>>');
}

/** Why a text is not an expression that can be used: CEL without times and patterns, whose time its nodes and values bound. */
export function expressionProblem(text: string, isGate: boolean): string | undefined {
  const parsed = parse(text, isGate);
  if (typeof parsed === 'string') return parsed;
  const { valid, type, error } = parsed.check();
  if (!valid) return firstLine(error);
  return type === 'bool' || type === 'dyn' ? undefined : `gives ${type} in place of true or false`;
}

/**
 * The value of an expression; `undefined` if it fails, reads a missing member, or takes too many steps in loops.
 * @throws AllowanceExceeded if it would take more than is left: then it is not evaluated
 */
export function evaluate(text: string, values: JsonObject, allowance: Allowance): unknown {
  allowance.spend(STEPS_OF_A_TEXT + text.length * STEPS_OF_A_CHARACTER);
  const parsed = parse(text, 'args' in values);
  if (typeof parsed === 'string') return undefined;
  try {
    spendOnExpression(parsed.ast, values, allowance);
    return withoutStacks(() => parsed(values) as unknown);
  } catch (error) {
    if (error instanceof AllowanceExceeded) throw error;
    return undefined;
  }
}

/** The library makes an error for each member of a loop that lacks something. Without its stack, which nobody reads, it takes a quarter of the time. */
function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function parse(text: string, isGate: boolean): ParseResult | string {
  try {
    const parsed = (isGate ? gates : conditions).parse(text);
    return unboundedPart(parsed.ast) ?? parsed;
  } catch (error) {
    return firstLine(error);
  }
}

function firstLine(error: unknown): string {
  return `is no CEL: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
}
