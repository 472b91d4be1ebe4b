/** The cost of a proposal or a decision: money, time, tokens. A member is absent where it is not known. */
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

/** The cost as a member of an event: absent where nothing is known. */
export function spent(...sources: readonly Spending[]): { readonly spent?: Spending } {
  const known = spendingOf(...sources);
  return Object.keys(known).length === 0 ? {} : { spent: known };
}
