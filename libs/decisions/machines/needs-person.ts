import { Conditions } from '#lib/expressions';
import type { JsonObject } from '#lib/kernel';
import type { TransitionDefinition } from './machine-definition.js';

const conditions = new Conditions({ args: 'map', metaJson: 'map', session: 'map' });

/** The values that the condition of a transition reads. */
type ConditionValues = {
  /** The arguments of the execution. */
  readonly args: JsonObject;
  /** The facts of the session. */
  readonly metaJson: JsonObject;
  readonly session: JsonObject;
};

/** The problem of a text as the condition of a transition. */
export function conditionProblem(text: string): string | undefined {
  return conditions.problem(text);
}

/** Whether only people may execute the transition. */
export function needsPerson(
  { needsPerson: rule }: Pick<TransitionDefinition, 'needsPerson'>,
  values: () => ConditionValues,
): boolean {
  return rule === undefined || rule === true ? rule === true : conditions.holds(rule.if, values());
}
