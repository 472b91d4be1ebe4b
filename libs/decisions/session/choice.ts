import type { JsonObject } from '#lib/kernel';

/** The cost of a proposal or a decision: money, time, tokens. A member is absent if it is not known. */
export type Spending = {
  readonly costUSD?: number;
  readonly latencyMsec?: number;
  readonly numInputTokens?: number;
  readonly numOutputTokens?: number;
};

const MEMBERS = ['costUSD', 'latencyMsec', 'numInputTokens', 'numOutputTokens'] as const;

/** The known members; of each the first that one of the sources has: 0 counts as known. */
export function spendingOf(...sources: readonly Spending[]): Spending {
  return Object.fromEntries(
    MEMBERS.flatMap((member) => {
      const known = sources.find((source) => source[member] !== undefined)?.[member];
      return known === undefined ? [] : [[member, known]];
    }),
  );
}

/** The cost as a member of an event: absent if nothing is known. */
export function spent(...sources: readonly Spending[]): { readonly spent?: Spending } {
  const known = spendingOf(...sources);
  return Object.keys(known).length === 0 ? {} : { spent: known };
}

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
  const { transitionName, toState, reasoning } = choice;
  const metaJson = given.metaJson ?? choice.metaJson;
  return {
    transitionName,
    toState,
    reasoning: given.reasoning ?? reasoning,
    ...(metaJson !== undefined && { metaJson }),
    ...spendingOf(given, choice),
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
