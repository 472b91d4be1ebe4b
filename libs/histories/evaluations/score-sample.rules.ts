import type { CloseSolicitation, SolicitationFailure } from '#lib/decisions/session';
import type { Sample } from './evaluation.input.js';

/** The specialist's choice about a round, or its failure, and whether the choice equals the decision. */
export interface ScoredSample {
  readonly sampleId: string;
  readonly solicitationId: string;
  /** Its choice; absent if there is a failure. */
  readonly transitionName?: string;
  readonly toState?: string;
  readonly failure?: SolicitationFailure;
  /** It chose the transition that was decided. */
  readonly matches: boolean;
  readonly costUSD?: number;
  readonly latencyMsec?: number;
  readonly numInputTokens?: number;
  readonly numOutputTokens?: number;
}

/** The result of a sample from the end of its solicitation. A specialist without a choice does not agree. */
export function scoreSample(
  { sampleId, transitionName: decided }: Pick<Sample, 'sampleId' | 'transitionName'>,
  solicitationId: string,
  result: CloseSolicitation['data']['result'],
): ScoredSample {
  if ('failure' in result) return { sampleId, solicitationId, ...result, matches: false };
  const { transitionName, toState, costUSD, latencyMsec, numInputTokens, numOutputTokens } = result.choice;
  return {
    sampleId,
    solicitationId,
    transitionName,
    toState,
    matches: transitionName === decided,
    ...(costUSD !== undefined && { costUSD }),
    ...(latencyMsec !== undefined && { latencyMsec }),
    ...(numInputTokens !== undefined && { numInputTokens }),
    ...(numOutputTokens !== undefined && { numOutputTokens }),
  };
}
