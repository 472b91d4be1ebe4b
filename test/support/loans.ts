import type { RedialOptions } from '#lib/engine';

type Told = { readonly metaJson?: { readonly amount?: unknown } };

const amountOf = ({ metaJson }: Told) => Number(metaJson?.amount ?? 0);

/** Two colleagues: one that does what the house does, one that approves everything. */
export const lenders = {
  prudent: (told: Told) =>
    amountOf(told) < 100
      ? { transitionName: 'approve', toState: 'closed', reasoning: 'small' }
      : { transitionName: 'reject', toState: 'closed', reasoning: 'large' },
  generous: () => ({ transitionName: 'approve', toState: 'closed', reasoning: 'why not' }),
} satisfies RedialOptions['strategies'];

/** The decision of the house. */
export function houseRule(amount: number): 'approve' | 'reject' {
  return amount < 100 ? 'approve' : 'reject';
}

/** A machine that two functions, a person and an arbiter decide about. */
export const loans = {
  machineName: 'loans',
  initialState: 'asked',
  goalState: 'closed',
  consensusThreshold: 0.4,
  specialists: [
    { role: 'proposer', specialistId: 'generous', strategyFnName: 'generous' },
    { role: 'proposer', specialistId: 'prudent', strategyFnName: 'prudent' },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin' },
  ],
  states: {
    asked: { prompt: 'Lend the money?', transitions: { approve: 'closed', reject: 'closed' } },
    closed: {},
  },
};
