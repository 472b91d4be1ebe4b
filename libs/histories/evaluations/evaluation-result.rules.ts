import { wilsonLowerBound } from '#lib/decisions/specialists';
import type { ScoredSample } from './score-sample.rules.js';
import type { Sample } from './evaluation.input.js';
import type { EvaluationSummary } from './evaluations.views.js';

/** The members of an answer that a result counts. */
type Scored = Omit<ScoredSample, 'solicitationId' | 'failure'> & { readonly failure?: unknown };

/** The accuracy of a specialist over the asked rounds: the members of an ended evaluation. */
export type EvaluationResult = Required<
  Pick<
    EvaluationSummary,
    | 'rounds'
    | 'matchingChoices'
    | 'transitionRate'
    | 'stateRate'
    | 'alignmentScore'
    | 'totalCostUSD'
    | 'meanLatencyMsec'
    | 'numInputTokens'
    | 'numOutputTokens'
    | 'failures'
  >
>;

/** @param scored answers to these samples, in the order they arrived */
export function evaluationResult(
  samples: readonly Pick<Sample, 'sampleId' | 'toState'>[],
  scored: readonly Scored[],
): EvaluationResult {
  const decided = new Map(samples.map(({ sampleId, toState }) => [sampleId, toState]));
  const rounds = scored.length;
  const matchingChoices = scored.filter(({ matches }) => matches).length;
  const rightStates = scored.filter(({ sampleId, toState }) => toState === decided.get(sampleId)).length;
  const latencies = scored.flatMap(({ latencyMsec }) => latencyMsec ?? []);
  const total = sumOf(latencies);
  return {
    rounds,
    matchingChoices,
    transitionRate: rounds === 0 ? null : matchingChoices / rounds,
    stateRate: rounds === 0 ? null : rightStates / rounds,
    alignmentScore: wilsonLowerBound({ matchingChoices, totalComparisons: rounds }),
    totalCostUSD: sumOf(scored.flatMap(({ costUSD }) => costUSD ?? [])),
    meanLatencyMsec: total === null ? null : total / latencies.length,
    numInputTokens: sumOf(scored.flatMap(({ numInputTokens }) => numInputTokens ?? [])),
    numOutputTokens: sumOf(scored.flatMap(({ numOutputTokens }) => numOutputTokens ?? [])),
    failures: scored.filter(({ failure }) => failure).length,
  };
}

function sumOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, next) => sum + next, 0);
}
