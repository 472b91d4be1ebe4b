import { comparisonsFor, wilsonLowerBound, wilsonUpperBound } from '#lib/decisions/specialists';

/** A share of points, from 0 to 1, with Wilson's interval at 95 %. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The share of no points is 0, with the widest interval. */
export function shareOf(count: number, n: number): Share {
  const tally = { matchingChoices: count, totalComparisons: n };
  const share = n === 0 ? 0 : count / n;
  return { share, low: wilsonLowerBound(tally), high: wilsonUpperBound(tally) };
}

/** The most frequent answer; of equally frequent ones the first. `undefined` without samples. */
export function majority(samples: readonly string[]): string | undefined {
  const counts = countsOf(samples);
  return [...counts.keys()].reduce<string | undefined>(
    (best, one) => (best === undefined || (counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best),
    undefined,
  );
}

/** The share of pairs of samples of the same point with equal answers; `undefined` if no point has two samples. */
export function selfAgreement(points: readonly (readonly string[])[]): number | undefined {
  const all = points.reduce((sum, { length }) => sum + pairs(length), 0);
  const agreeing = points.flatMap((samples) => [...countsOf(samples).values()]);
  return all === 0 ? undefined : agreeing.reduce((sum, count) => sum + pairs(count), 0) / all;
}

/** In the order of first occurrence. */
function countsOf(samples: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of samples) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

function pairs(n: number): number {
  return (n * (n - 1)) / 2;
}

/** The effect of an answer in place of the baseline's. `negative`: only the baseline agreed with the person; `positive`: only the answer does. */
export type Flip = 'none' | 'negative' | 'positive' | 'neutral';

/** @param person the decision, if a person made it */
export function flipOf(baseline: string, answer: string, person?: string): Flip {
  if (baseline === answer) return 'none';
  if (person === baseline) return 'negative';
  return person === answer ? 'positive' : 'neutral';
}

/**
 * McNemar's exact test, two-sided: the probability of a split at least as uneven, if both are equally often right alone. 1 if
 * both counts are 0. The binomial coefficients are summed relative to the largest, which alone is computed by logarithms: no
 * power of 2 underflows.
 */
export function mcnemar(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB;
  const fewer = Math.min(onlyA, onlyB);
  let largest = -n * Math.LN2;
  for (let i = 1; i <= fewer; i += 1) largest += Math.log((n - fewer + i) / i);
  let term = 1;
  let sum = 1;
  for (let i = fewer; i > 0; i -= 1) {
    term *= i / (n - i + 1);
    sum += term;
  }
  return Math.min(1, 2 * Math.exp(largest) * sum);
}

/** A baseline and a variant over the points that both answered. */
export interface PairCounts {
  readonly n: number;
  readonly flips: number;
  /** The points where only the baseline agrees with the person; `onlyB`: only the variant. */
  readonly onlyA: number;
  readonly onlyB: number;
}

export interface PairVerdict {
  /** McNemar's exact test on agreement with people. */
  readonly p: number;
  readonly verdict: 'same' | 'different' | 'not-enough';
  /** The number of points that would suffice for `same` at this share of flips. Absent if the share is not below the margin. */
  readonly needed?: number;
}

const SIGNIFICANT = 0.05;

/**
 * @param margin the share of flips, from 0 to 1, up to which a variant counts as deciding the same
 * @param isRecorded the baseline is the recorded decisions: these agree with people by definition, so `p` has no meaning
 */
export function pairVerdict(
  { n, flips, onlyA, onlyB }: PairCounts,
  margin: number,
  isRecorded = false,
): PairVerdict {
  const { share, low, high } = shareOf(flips, n);
  const p = mcnemar(onlyA, onlyB);
  const needed = comparisonsFor(share, margin);
  const isDifferent = low > margin || (!isRecorded && p < SIGNIFICANT);
  const verdict = high <= margin ? 'same' : isDifferent ? 'different' : 'not-enough';
  return { p, verdict, ...(needed !== undefined && { needed }) };
}
