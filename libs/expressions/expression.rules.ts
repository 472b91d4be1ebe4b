import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { type Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import { readableMembers } from './any-names.rules.js';
import { unboundedPart } from './bounds.rules.js';
import { spendOnExpression } from './cost.rules.js';

const LIMITS = {
  maxAstNodes: 256,
  maxDepth: 32,
  maxListElements: 64,
  maxMapEntries: 64,
  maxCallArguments: 8,
};
/** Steps of parsing and checking a text, and of each of its characters. */
const STEPS_OF_A_TEXT = 300;
const STEPS_OF_A_CHARACTER = 4;

/** The variables of a kind of expression, by name. Each is a map, or a list of maps. */
export type Variables = { readonly [name: string]: 'map' | 'list' };

const TYPES = { map: 'map<string, dyn>', list: 'list<map<string, dyn>>' } as const;

/** Expressions over the same variables: CEL without times and patterns, so that nodes and values bound the time. */
export class Expressions {
  private made: Environment | undefined;

  constructor(private readonly variables: Variables) {}

  /** The reason why a text cannot be used as an expression. */
  problem(text: string): string | undefined {
    const parsed = this.parse(text);
    if (typeof parsed === 'string') return parsed;
    const { valid, type, error } = parsed.check();
    if (!valid) return firstLine(error);
    return type === 'bool' || type === 'dyn' ? undefined : `gives ${type} in place of true or false`;
  }

  /**
   * The value of an expression; `undefined` if it fails, reads a missing member, or takes too many steps in loops.
   * @param asBefore03 it fails if it reads an object that has a member `constructor`
   * @throws AllowanceExceeded if it would take more than is left: then it is not evaluated
   */
  evaluate(text: string, values: JsonObject, allowance: Allowance, asBefore03 = false): unknown {
    allowance.spend(STEPS_OF_A_TEXT + text.length * STEPS_OF_A_CHARACTER);
    const parsed = this.parse(text);
    if (typeof parsed === 'string') return undefined;
    try {
      spendOnExpression(parsed.ast, values, allowance);
      const readable = asBefore03 ? values : readableMembers(values);
      return withoutStacks(() => parsed(readable) as unknown);
    } catch (error) {
      if (error instanceof AllowanceExceeded) throw error;
      return undefined;
    }
  }

  private parse(text: string): ParseResult | string {
    try {
      const parsed = this.environment().parse(text);
      return unboundedPart(parsed.ast) ?? parsed;
    } catch (error) {
      return firstLine(error);
    }
  }

  /** Made at the first use, because most processes use no expressions. */
  private environment(): Environment {
    this.made ??= Object.entries(this.variables).reduce(
      (environment, [name, kind]) => environment.registerVariable(name, TYPES[kind]),
      new Environment({ limits: LIMITS }),
    );
    return this.made;
  }
}

/** The library makes an error for each member of a loop that lacks a value. Without the unused stacks, it takes a quarter of the time. */
function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function firstLine(error: unknown): string {
  return `is no CEL: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
}
