import { Conditions } from '#lib/expressions';
import type { JsonObject } from '#lib/kernel';
import type { TransitionDefinition } from './machine-definition.js';

const conditions = new Conditions({ args: 'map', metaJson: 'map', session: 'map' });

/** The values that the condition of a transition reads. */
type ConditionValues = {
  /** The arguments that it would be executed with. */
  readonly args: JsonObject;
  /** Of the session. */
  readonly metaJson: JsonObject;
  readonly session: JsonObject;
};

/** Why the text cannot be the condition of a transition. */
export function conditionProblem(text: string): string | undefined {
  return conditions.problem(text);
}

/** Whether people alone may execute the transition. */
export function needsPerson(
  { needsPerson: rule }: Pick<TransitionDefinition, 'needsPerson'>,
  values: () => ConditionValues,
): boolean {
  return rule === undefined || rule === true ? rule === true : conditions.holds(rule.if, values());
}
