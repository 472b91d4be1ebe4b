import {
  type CloseSolicitation,
  type SolicitationFailure,
  type Spending,
  spendingOf,
} from '#lib/decisions/session';
import type { Sample } from './evaluation.input.js';

/** The specialist's choice in a round, or its failure, and whether the choice equals the decision. */
export interface ScoredSample extends Spending {
  readonly sampleId: string;
  readonly solicitationId: string;
  /** Absent if the solicitation failed. */
  readonly transitionName?: string;
  readonly toState?: string;
  readonly failure?: SolicitationFailure;
  /** The choice equals the decision. */
  readonly matches: boolean;
}

/** The result of a sample from the end of its solicitation. A failure does not match. */
export function scoreSample(
  { sampleId, transitionName: decided }: Pick<Sample, 'sampleId' | 'transitionName'>,
  solicitationId: string,
  result: CloseSolicitation['data']['result'],
): ScoredSample {
  if ('failure' in result) return { sampleId, solicitationId, ...result, matches: false };
  const { transitionName, toState } = result.choice;
  return {
    sampleId,
    solicitationId,
    transitionName,
    toState,
    matches: transitionName === decided,
    ...spendingOf(result.choice),
  };
}
