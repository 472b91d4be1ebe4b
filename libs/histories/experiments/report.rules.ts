import type { ExperimentAnswer, ExperimentStarted } from './experiment.events.js';
import {
  type Flip,
  flipOf,
  majority,
  type PairCounts,
  type PairVerdict,
  pairVerdict,
  selfAgreement,
  type Share,
  shareOf,
} from './statistics.js';

/** The name of the recorded decisions as a baseline. No variant may have this name. */
export const RECORDED = 'recorded';

/** The part of an experiment that its report needs. The answers so far are in the order of the asks. */
export interface Answered extends Pick<
  ExperimentStarted['data'],
  'points' | 'samples' | 'baseline' | 'margin'
> {
  readonly variants: readonly string[];
  readonly answers: readonly (ExperimentAnswer | undefined)[];
}

type Matches = { readonly n: number; readonly matches: number } & Share;
type Flips = { readonly n: number; readonly flips: number } & Share;

export interface StateReport {
  readonly n: number;
  readonly people: Matches;
  readonly flips: Flips;
  readonly negativeFlips: number;
}

export interface VariantReport extends StateReport {
  readonly name: string;
  readonly failures: { readonly [kind: string]: number };
  readonly selfAgreement?: number;
  /** `null` if no price is known. */
  readonly costUSD: number | null;
  readonly latencyMsec: { readonly p50: number | null; readonly p95: number | null };
  readonly byState: { readonly [state: string]: StateReport };
}

export interface PairReport extends PairVerdict {
  readonly a: string;
  readonly b: string;
  readonly n: number;
  readonly onlyA: number;
  readonly onlyB: number;
}

export interface ExperimentReport {
  readonly variants: readonly VariantReport[];
  readonly pairs: readonly PairReport[];
}

/** A point with an answer of the variant, the answer of the baseline, and the decision of a person. */
interface Compared {
  readonly state: string;
  readonly answer: string;
  /** Absent if the baseline gave no answer. */
  readonly baseline: string | undefined;
  /** The decision, if a person made it. */
  readonly person: string | undefined;
}

export function reportOf(asked: Answered): ExperimentReport {
  const { variants, baseline, margin } = asked;
  const compared = variants.map((_, variant) => comparedIn(asked, variant));
  return {
    variants: variants.map((name, variant) => variantReport(asked, name, variant, compared[variant] ?? [])),
    pairs: variants.flatMap((b, variant) => {
      if (b === baseline) return [];
      const { flips, ...counts } = pairCounts(compared[variant] ?? []);
      return [
        { a: baseline, b, ...counts, ...pairVerdict({ flips, ...counts }, margin, baseline === RECORDED) },
      ];
    }),
  };
}

/** The answers of a variant to a point, one for each sample. */
function samplesOf(
  { variants, samples, answers }: Pick<Answered, 'variants' | 'samples' | 'answers'>,
  point: number,
  variant: number,
): readonly (ExperimentAnswer | undefined)[] {
  const first = (point * variants.length + variant) * samples;
  return answers.slice(first, first + samples);
}

/** The most frequent answer of the samples. `undefined` if no sample has an answer. */
function answerOf(asked: Answered, point: number, variant: number): string | undefined {
  return majority(samplesOf(asked, point, variant).flatMap((one) => one?.transitionName ?? []));
}

/** The answer of the baseline to a point. */
function baselineOf(asked: Answered, point: number): string | undefined {
  const { baseline, variants, points } = asked;
  return baseline === RECORDED
    ? points[point]?.transitionName
    : answerOf(asked, point, variants.indexOf(baseline));
}

function comparedIn(asked: Answered, variant: number): readonly Compared[] {
  return asked.points.flatMap(({ state, transitionName, isHuman }, point) => {
    const answer = answerOf(asked, point, variant);
    if (answer === undefined) return [];
    const person = isHuman ? transitionName : undefined;
    return [{ state, answer, baseline: baselineOf(asked, point), person }];
  });
}

/** The effect of the answer of a variant to a point. `undefined` if the variant or the baseline has no answer. */
export function flipAt(asked: Answered, point: number, variant: number): Flip | undefined {
  const [answer, baseline] = [answerOf(asked, point, variant), baselineOf(asked, point)];
  if (answer === undefined || baseline === undefined) return undefined;
  const { isHuman, transitionName } = asked.points[point] ?? { isHuman: false, transitionName: '' };
  return flipOf(baseline, answer, isHuman ? transitionName : undefined);
}

function variantReport(
  asked: Answered,
  name: string,
  variant: number,
  compared: readonly Compared[],
): VariantReport {
  const samples = asked.points.map((_, point) => samplesOf(asked, point, variant));
  const answers = samples.flat().filter((answer) => answer !== undefined);
  const costs = answers.flatMap(({ costUSD }) => costUSD ?? []);
  const latencies = answers.flatMap(({ latencyMsec }) => latencyMsec ?? []).toSorted((a, b) => a - b);
  const agreement = selfAgreement(
    samples.map((point) => point.flatMap((answer) => answer?.transitionName ?? [])),
  );
  const states = [...new Set(compared.map(({ state }) => state))];
  return {
    name,
    ...stateReport(compared),
    failures: countsOf(answers.flatMap(({ failure }) => failure ?? [])),
    ...(agreement !== undefined && { selfAgreement: agreement }),
    costUSD: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    latencyMsec: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    byState: Object.fromEntries(
      states.map((state) => [state, stateReport(compared.filter((one) => one.state === state))]),
    ),
  };
}

function stateReport(compared: readonly Compared[]): StateReport {
  const human = compared.filter(({ person }) => person !== undefined);
  const matches = human.filter(({ person, answer }) => person === answer).length;
  const { n, flips } = pairCounts(compared);
  return {
    n: compared.length,
    people: { n: human.length, matches, ...shareOf(matches, human.length) },
    flips: { n, flips, ...shareOf(flips, n) },
    negativeFlips: compared.filter(
      ({ baseline, answer, person }) =>
        baseline !== undefined && flipOf(baseline, answer, person) === 'negative',
    ).length,
  };
}

/** Over the points that both answered. */
function pairCounts(compared: readonly Compared[]): PairCounts {
  const both = compared.filter(({ baseline }) => baseline !== undefined);
  const flips = both.filter(({ baseline, answer }) => baseline !== answer);
  return {
    n: both.length,
    flips: flips.length,
    onlyA: flips.filter(({ person, baseline }) => person === baseline).length,
    onlyB: flips.filter(({ person, answer }) => person === answer).length,
  };
}

/** By the nearest rank; `null` without values. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function countsOf(names: readonly string[]): { readonly [name: string]: number } {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
