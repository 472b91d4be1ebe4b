import type { CloseSample } from './evaluation.commands.js';
import type { SampleJudged } from './evaluation.events.js';
import type { Sample } from './evaluation.state.js';

/** The result of a sample from the end of its solicitation. A specialist without a choice does not agree. */
export function judgeSample(
  { sampleId, transitionName: decided }: Sample,
  solicitationId: string,
  result: CloseSample['data']['result'],
): SampleJudged['data'] {
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
