import type { JsonObject } from '#lib/kernel';
import { type Spending, spendingOf } from './spending.js';

/** The members of a choice besides its transition, from a proposer or from a caller on behalf of a proposer or an arbiter. */
export type CallerInput = Spending & {
  readonly reasoning?: string;
  /** A tool call's arguments land here; absent rather than `{}`. */
  readonly metaJson?: JsonObject;
};

/** A transition chosen, and what was said with it. */
export type Choice = CallerInput & {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
};

/** The choice with everything the caller gave in its place: 0 and "" count as given. */
export function mergeGiven(choice: Choice, given: CallerInput): Choice {
  const { transitionName, toState, ...said } = choice;
  return { transitionName, toState, ...compact(said, given) };
}

function compact(said: CallerInput & { readonly reasoning: string }, given: CallerInput) {
  const metaJson = given.metaJson ?? said.metaJson;
  return {
    reasoning: given.reasoning ?? said.reasoning,
    ...(metaJson !== undefined && { metaJson }),
    ...spendingOf(given, said),
  };
}

/** The members that a caller gave, and no others. */
export function callerGiven({ reasoning, metaJson, ...rest }: CallerInput): CallerInput {
  return {
    ...(reasoning !== undefined && { reasoning }),
    ...(metaJson !== undefined && { metaJson }),
    ...spendingOf(rest),
  };
}
