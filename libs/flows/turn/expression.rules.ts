import { Expressions } from '#lib/expressions';
import type { Allowance, JsonObject } from '#lib/kernel';

const variables = { data: 'map', context: 'map', session: 'map', history: 'list' } as const;
const conditions = new Expressions(variables);
const gates = new Expressions({ ...variables, args: 'map' });

/** The problem of an expression. Those of gates may read `args` too. */
export function expressionProblem(text: string, isGate: boolean): string | undefined {
  return (isGate ? gates : conditions).problem(text);
}

/** As `Expressions.evaluate`. */
export function evaluate(
  text: string,
  values: JsonObject,
  allowance: Allowance,
  asBefore03 = false,
): unknown {
  return ('args' in values ? gates : conditions).evaluate(text, values, allowance, asBefore03);
}
