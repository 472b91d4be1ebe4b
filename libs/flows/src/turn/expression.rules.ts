import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { JsonObject } from '#lib/kernel';
import { stepsInLoops, unboundedPart } from './expression-bounds.rules.js';

const LIMITS = {
  maxAstNodes: 256,
  maxDepth: 32,
  maxListElements: 64,
  maxMapEntries: 64,
  maxCallArguments: 8,
};
/** Evaluations of nodes in loops; each may be an error, which takes some 20 microseconds. */
const MOST_STEPS_IN_LOOPS = 20_000;

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

/** The value of an expression; `undefined` if it fails, reads a missing member, or takes too many steps in loops. */
export function evaluate(text: string, values: JsonObject): unknown {
  const parsed = parse(text, 'args' in values);
  if (typeof parsed === 'string' || stepsInLoops(parsed.ast, values) > MOST_STEPS_IN_LOOPS) return undefined;
  try {
    return parsed(values) as unknown;
  } catch {
    return undefined;
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
