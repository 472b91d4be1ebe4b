import { text } from '#lib/activities/testing';

/** A reply of its model. */
export const said = (transitionName: string, toState: string) =>
  text({ transitionName, toState, reasoning: 'So it is.' });

/** A machine with two rounds to its goal, a model as proposer, a person, and an arbiter that takes the first proposal. */
export const reviewedRefunds = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  states: {
    triage: { prompt: 'And now?', transitions: { review: 'review', deny: 'closed' } },
    review: { prompt: 'Really?', transitions: { approve: 'closed', back: 'triage' } },
    closed: {},
  },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'clerk',
      modelId: 'gpt-4o-mini[tools=no]',
      contextTemplate: 'Cup {{metaJson.text}}',
    },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
};
