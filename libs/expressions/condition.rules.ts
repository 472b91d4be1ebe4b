import { Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import { Expressions, type Variables } from './expression.rules.js';

const LONGEST_CONDITION = 2_048;
/** The most steps of one evaluation: a tenth of a second. */
const MOST_STEPS = 1_000_000;

/** Conditions over the same variables. They fail closed: a person is needed unless the expression is false. */
export class Conditions {
  private readonly expressions: Expressions;

  constructor(variables: Variables) {
    this.expressions = new Expressions(variables);
  }

  /** The reason why the text cannot be a condition. */
  problem(text: string): string | undefined {
    return text.length > LONGEST_CONDITION
      ? `has more than ${LONGEST_CONDITION} characters`
      : this.expressions.problem(text);
  }

  /** Whether the condition holds. One that fails, reads a missing value, or takes too many steps holds. */
  holds(text: string, values: JsonObject): boolean {
    try {
      return this.expressions.evaluate(text, values, new Allowance({ steps: MOST_STEPS })) !== false;
    } catch (error) {
      if (error instanceof AllowanceExceeded) return true;
      throw error;
    }
  }
}
