import { wilsonLowerBound } from '#lib/specialist';
import type { JudgedSample } from './judge-sample.rules.js';
import type { Sample } from './evaluation.input.js';

/** The accuracy of a specialist that was asked again about decided rounds. */
export interface EvaluationResult {
  /** How many it was asked about. */
  readonly rounds: number;
  /** In how many it chose the transition that was decided. */
  readonly matchingChoices: number;
  /** The share of those; null without rounds. */
  readonly transitionRate: number | null;
  /** Share in which it chose the decided state, by any transition; null without rounds. */
  readonly stateRate: number | null;
  /** From 0 to 1: what `matchingChoices` of `rounds` are worth by the `wilson` rule; 0 without rounds. */
  readonly alignmentScore: number;
  /** In US dollars, failures included: as the specialist says it, else by the prices in force; null where none is known. */
  readonly totalCostUSD: number | null;
  /** In milliseconds, over the rounds that have a latency; null where none has. */
  readonly meanLatencyMsec: number | null;
  /** Null where none are reported. */
  readonly numInputTokens: number | null;
  readonly numOutputTokens: number | null;
  /** Rounds without a choice. They count as rounds; their calls hold their usage. */
  readonly failures: number;
}

/** @param judged of these samples, in the order the answers came */
export function evaluationResult(
  samples: readonly Sample[],
  judged: readonly JudgedSample[],
): EvaluationResult {
  const decided = new Map(samples.map(({ sampleId, toState }) => [sampleId, toState]));
  const rounds = judged.length;
  const matchingChoices = judged.filter(({ matches }) => matches).length;
  const rightStates = judged.filter(({ sampleId, toState }) => toState === decided.get(sampleId)).length;
  const latencies = judged.flatMap(({ latencyMsec }) => latencyMsec ?? []);
  const total = sumOf(latencies);
  return {
    rounds,
    matchingChoices,
    transitionRate: rounds === 0 ? null : matchingChoices / rounds,
    stateRate: rounds === 0 ? null : rightStates / rounds,
    alignmentScore: wilsonLowerBound({ matchingChoices, totalComparisons: rounds }),
    totalCostUSD: sumOf(judged.flatMap(({ costUSD }) => costUSD ?? [])),
    meanLatencyMsec: total === null ? null : total / latencies.length,
    numInputTokens: sumOf(judged.flatMap(({ numInputTokens }) => numInputTokens ?? [])),
    numOutputTokens: sumOf(judged.flatMap(({ numOutputTokens }) => numOutputTokens ?? [])),
    failures: judged.filter(({ failure }) => failure).length,
  };
}

function sumOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, next) => sum + next, 0);
}
