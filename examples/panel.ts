// A panel: three models propose, and an arbiter in code takes a transition that two of them propose; else a person decides.
import type { Redial } from 'redial-engine';
import type { ArbiterFn } from 'redial-engine/activities';
import type { MachineInputOfCode } from 'redial-engine/machine';

// #region machine
const models = ['gpt-4o', 'gpt-4o-mini', 'o4-mini'];

export const panel: MachineInputOfCode = {
  machineName: 'panel',
  initialState: 'reported',
  goalState: 'closed',
  quorum: 3,
  specialists: [
    ...models.map((modelId) => ({
      role: 'proposer' as const,
      specialistId: modelId,
      modelId,
      contextTemplate: 'The comment: {{metaJson.comment}}',
    })),
    { role: 'proposer', specialistId: 'moderator', isHuman: true },
    {
      role: 'arbiter',
      specialistId: 'two-of-three',
      strategyFnName: ({ proposals }) => {
        const same = proposals.find(({ transitionName, proposalId }) =>
          proposals.some((one) => one.proposalId !== proposalId && one.transitionName === transitionName),
        );
        if (!same) return { consensusReached: false, reasoning: 'Each model says something else.' };
        return { consensusReached: true, winningProposalId: same.proposalId };
      },
    },
  ],
  states: {
    reported: {
      prompt: 'A comment was reported. What happens to it?',
      transitions: { keep: 'closed', hide: 'closed', warn: 'closed' },
    },
    closed: {},
  },
};
// #endregion

// #region unanimous
/** If not all propose the same transition, a person decides. `strategyFnName: unanimous`, or by name with the option `arbiters`. */
export const unanimous: ArbiterFn = ({ proposals: [first, ...others] }) =>
  first && others.every(({ transitionName }) => transitionName === first.transitionName)
    ? { consensusReached: true, winningProposalId: first.proposalId }
    : { consensusReached: false, reasoning: 'The proposers disagree.' };
// #endregion

/** The decided transition; `undefined` if the moderator has to decide. */
export async function moderate(redial: Redial, comment: string): Promise<string | undefined> {
  const { sessionId } = await redial.createSession({ machineName: 'panel', metaJson: { comment } });
  const { history } = await redial.runSession({ sessionId });
  return history[0]?.transitionName;
}
