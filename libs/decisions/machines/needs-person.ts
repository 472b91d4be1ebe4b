import { Expressions } from '#lib/expressions';
import { Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import type { TransitionDefinition } from './machine-definition.js';

/** Characters. */
const LONGEST_CONDITION = 2_048;
/** Steps of one evaluation: a tenth of a second at most. */
const MOST_STEPS = 1_000_000;

const conditions = new Expressions({ args: 'map', metaJson: 'map', session: 'map' });

/** The values that the condition of a transition reads. */
export type ConditionValues = {
  /** The arguments that it would be executed with. */
  readonly args: JsonObject;
  /** Of the session. */
  readonly metaJson: JsonObject;
  readonly session: JsonObject;
};

/** Why the text cannot be the condition of a transition. */
export function conditionProblem(text: string): string | undefined {
  return text.length > LONGEST_CONDITION
    ? `has more than ${LONGEST_CONDITION} characters`
    : conditions.problem(text);
}

/** Whether people alone may execute the transition. A condition that fails, or that takes too many steps, says yes. */
export function needsPerson(
  { needsPerson: rule }: Pick<TransitionDefinition, 'needsPerson'>,
  values: () => ConditionValues,
): boolean {
  if (rule === undefined || rule === true) return rule === true;
  try {
    return conditions.evaluate(rule.if, values(), new Allowance({ steps: MOST_STEPS })) !== false;
  } catch (error) {
    if (error instanceof AllowanceExceeded) return true;
    throw error;
  }
}
