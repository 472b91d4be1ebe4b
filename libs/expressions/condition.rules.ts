import { Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import { Expressions, type Variables } from './expression.rules.js';

/** Characters. */
const LONGEST_CONDITION = 2_048;
/** Steps of one evaluation: a tenth of a second at most. */
const MOST_STEPS = 1_000_000;

/** Conditions over the same variables that fail closed: a person is needed unless the expression says no. */
export class Conditions {
  private readonly expressions: Expressions;

  constructor(variables: Variables) {
    this.expressions = new Expressions(variables);
  }

  /** Why the text cannot be such a condition. */
  problem(text: string): string | undefined {
    return text.length > LONGEST_CONDITION
      ? `has more than ${LONGEST_CONDITION} characters`
      : this.expressions.problem(text);
  }

  /** One that fails, that reads what is missing, or that takes too many steps holds. */
  holds(text: string, values: JsonObject): boolean {
    try {
      return this.expressions.evaluate(text, values, new Allowance({ steps: MOST_STEPS })) !== false;
    } catch (error) {
      if (error instanceof AllowanceExceeded) return true;
      throw error;
    }
  }
}
