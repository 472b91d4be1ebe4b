// A nightly batch: one question about each pair of invoices. People get the pairs that the models do not decide.
import type { Redial } from 'redial-engine';

// #region gate
export const duplicateGate = {
  gateId: 'is-duplicate',
  prompt: 'Is the second invoice a duplicate of the first?',
  choices: { pay: 'They are two invoices', stop: 'It is the same invoice again' },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'reader',
      modelId: 'gpt-4o-mini',
      contextTemplate: 'You read invoices.',
    },
    { role: 'proposer', specialistId: 'bookkeeper', isHuman: true },
    { role: 'arbiter', specialistId: 'margin', strategyFnName: 'alignmentMargin' },
  ],
  trust: { minComparisons: 1, minAlignment: 0.2 },
} as const;
// #endregion

// #region batch
export interface Pair {
  readonly first: string;
  readonly second: string;
}

/** A pair that is asked again after a crash gets the recorded answer, without a call of a model. */
export async function checkAll(redial: Redial, night: string, pairs: readonly Pair[]) {
  const results = { pay: 0, stop: 0, waiting: 0 };
  for (const { first, second } of pairs) {
    const ask = { gateId: 'is-duplicate', promptSuffix: `${first}\n${second}` };
    const { decision } = await redial.invokeGate(ask, { idempotencyKey: `${night} ${first} ${second}` });
    results[decision === 'pay' || decision === 'stop' ? decision : 'waiting'] += 1;
  }
  return results;
}
// #endregion
