import { type CallerInput, type Spending, spendingMembers, statedMembers } from './proposal.members.js';

const SPENDING = Object.keys(spendingMembers) as readonly (keyof Spending)[];
const STATED = Object.keys(statedMembers) as readonly (keyof CallerInput)[];

/** The known members, each from the first source that has it: 0 and "" count as known. */
function firstKnown(names: readonly (keyof CallerInput)[], sources: readonly CallerInput[]): CallerInput {
  return Object.fromEntries(
    names.flatMap((name) => {
      const known = sources.find((source) => source[name] !== undefined)?.[name];
      return known === undefined ? [] : [[name, known]];
    }),
  );
}

/** The known cost, each member from the first source that has it. */
export function spendingOf(...sources: readonly Spending[]): Spending {
  return firstKnown(SPENDING, sources);
}

/** The cost as a member of an event: absent if unknown. */
export function spent(...sources: readonly Spending[]): { readonly spent?: Spending } {
  const known = spendingOf(...sources);
  return Object.keys(known).length === 0 ? {} : { spent: known };
}

/** A chosen transition, with its reasoning, arguments and cost. */
export type Choice = CallerInput & {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
};

/** The choice with the caller's members in place of its own. */
export function mergeGiven(choice: Choice, given: CallerInput): Choice {
  const { transitionName, toState, reasoning } = choice;
  return { transitionName, toState, reasoning, ...firstKnown(STATED, [given, choice]) };
}

/** The caller's members alone. */
export function callerGiven(given: CallerInput): CallerInput {
  return firstKnown(STATED, [given]);
}
