import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { JsonObject } from '#lib/kernel';

const LIMITS = {
  maxAstNodes: 256,
  maxDepth: 32,
  maxListElements: 64,
  maxMapEntries: 64,
  maxCallArguments: 8,
};
const FUNCTIONS = ['has', 'size', 'contains', 'startsWith', 'endsWith', 'int', 'double', 'string'];
/** Each visits all members of a list. */
const LOOPS = ['all', 'exists', 'exists_one'];

const conditions = environment();
const gates = environment().registerVariable('args', 'map<string, dyn>');

function environment(): Environment {
  const values = new Environment({ limits: LIMITS })
    .registerVariable('data', 'map<string, dyn>')
    .registerVariable('context', 'map<string, dyn>')
    .registerVariable('session', 'map<string, dyn>');
  return values.registerVariable('history', 'list<map<string, dyn>>');
}

/** Why a text is no expression that can be used: CEL without time, patterns, lists that it builds, and loops in loops. */
export function expressionProblem(text: string, isGate: boolean): string | undefined {
  const parsed = parse(text, isGate);
  if (typeof parsed === 'string') return parsed;
  const { valid, type, error } = parsed.check();
  if (!valid) return firstLine(error);
  return type === 'bool' || type === 'dyn' ? undefined : `gives ${type} in place of true or false`;
}

/** What an expression gives; `undefined` where it fails, or reads what is not there. */
export function evaluate(text: string, values: JsonObject): unknown {
  const parsed = parse(text, 'args' in values);
  try {
    return typeof parsed === 'string' ? undefined : (parsed(values) as unknown);
  } catch {
    return undefined;
  }
}

function parse(text: string, isGate: boolean): ParseResult | string {
  try {
    const parsed = (isGate ? gates : conditions).parse(text);
    return refusedIn(parsed.ast, false) ?? parsed;
  } catch (error) {
    return firstLine(error);
  }
}

function refusedIn(node: ASTNode, inLoop: boolean): string | undefined {
  const called = node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
  const loops = called !== undefined && LOOPS.includes(called);
  if (loops && inLoop) return `has ${called} in a loop`;
  if (called !== undefined && !loops && !FUNCTIONS.includes(called)) return `calls ${called}`;
  return firstOf(node.args, (one) => refusedIn(one, inLoop || loops));
}

function firstOf(args: unknown, refused: (node: ASTNode) => string | undefined): string | undefined {
  if (Array.isArray(args)) {
    for (const one of args as readonly unknown[]) {
      const found = firstOf(one, refused);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return typeof args === 'object' && args !== null && 'op' in args ? refused(args as ASTNode) : undefined;
}

function firstLine(error: unknown): string {
  return `is no CEL: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
}
