// A refund desk: a model proposes, and a person decides until the model has agreed with people often enough.
import type { Redial } from 'redial-engine';

// #region machine
/** Once the clerk has agreed with two decisions of the lead, it decides alone; large refunds always need the lead. */
export const refundDesk = {
  machineName: 'refund-desk',
  initialState: 'asked',
  goalState: 'closed',
  trust: { minComparisons: 2, minAlignment: 0.3 },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'clerk',
      modelId: 'gpt-4o-mini',
      contextTemplate: '{{metaJson.customer}} writes: {{metaJson.text}}',
    },
    { role: 'proposer', specialistId: 'lead', isHuman: true },
  ],
  states: {
    asked: {
      prompt: 'Pay the money back?',
      transitions: {
        pay: {
          target: 'closed',
          description: 'Pay money back to the customer.',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          needsPerson: { if: 'args.amount > 100.0' },
        },
        refuse: { target: 'closed', description: 'Pay nothing back.' },
      },
    },
    closed: {},
  },
} as const;
// #endregion

// #region use
export interface Letter {
  /** The id of the letter in the mail system: the same letter twice is one session. */
  readonly key: string;
  readonly customer: string;
  readonly text: string;
}

/** The status is `needs_human` if the lead has to decide; the task then has the proposal of the clerk. */
export async function receive(redial: Redial, { key, ...metaJson }: Letter) {
  const { sessionId } = await redial.createSession({ machineName: 'refund-desk', key, metaJson });
  const { status } = await redial.runSession({ sessionId });
  return { sessionId, status };
}

/** The lead takes the transition of the clerk, with its arguments or with another amount. */
export async function accept(redial: Redial, sessionId: string, amount?: number): Promise<void> {
  const [proposal] = (await redial.listProposals({ sessionId })).items;
  if (!proposal) throw new Error(`Nothing is proposed in ${sessionId}.`);
  const edit = amount === undefined ? {} : { metaJson: { amount } };
  await redial.decide({ sessionId, specialistId: 'lead', proposalId: proposal.proposalId, ...edit });
}
// #endregion
