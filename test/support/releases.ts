import { barrier } from './barrier.js';

/** A gate that functions, an arbiter and a person decide about. */
export const release = {
  gateId: 'release',
  prompt: 'Ship it?',
  choices: { ship: { description: 'Ship it now' }, hold: {} },
  specialists: [
    { role: 'proposer', specialistId: 'tests', strategyFnName: 'tests' },
    { role: 'proposer', specialistId: 'review', strategyFnName: 'review' },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
};

/** Its two functions: each answers once both were asked, and never when they are asked one after the other. */
export function bothAtOnce() {
  const pass = barrier(2);
  return {
    tests: async () => {
      await pass();
      return { transitionName: 'ship', reasoning: 'green', costUSD: 0.25, numInputTokens: 7 };
    },
    review: async () => {
      await pass();
      return { transitionName: 'ship', reasoning: 'clean', costUSD: 0.5, metaJson: { sure: true } };
    },
  };
}
