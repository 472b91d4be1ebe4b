import { type PriceInForce, usageCost } from '#lib/call-rules';
import type { UsageOfRound } from '#lib/read-models';

/** The part of a variant that its cost depends on. */
interface PricedVariant {
  readonly specialistId: string;
  /** Its proposer is a model. */
  readonly asksModel: boolean;
  /** Absent if the model has no known price. */
  readonly price?: PriceInForce | undefined;
}

export interface Band {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** The expected usage of the asks of an experiment. */
interface Estimated {
  readonly tokens: Band;
  /** `null` if a price or the usage is not known. */
  readonly costUSD: Band | null;
}

const NOTHING: Band = { low: 0, expected: 0, high: 0 };

/**
 * The recorded usage of the same points (10 %, mean and 90 %), times the asks. A variant whose specialist has no recorded calls
 * there gets the usage of all specialists.
 * @param asks of each variant
 */
export function estimated(
  variants: readonly PricedVariant[],
  usage: readonly UsageOfRound[],
  asks: number,
): Estimated {
  const each = variants
    .filter(({ asksModel }) => asksModel)
    .map((variant) => ofVariant(variant, usage, asks));
  const costs = each.flatMap(({ costUSD }) => costUSD ?? []);
  return {
    tokens: each.map(({ tokens }) => tokens).reduce(sumOf, NOTHING),
    costUSD: costs.length < each.length ? null : costs.reduce(sumOf, NOTHING),
  };
}

function ofVariant(
  { specialistId, price }: PricedVariant,
  usage: readonly UsageOfRound[],
  asks: number,
): Estimated {
  const own = usage.filter((one) => one.specialistId === specialistId);
  const known = own.length > 0 ? own : usage;
  const costs = known.flatMap(
    ({ inputTokens, outputTokens }) =>
      usageCost(price, { promptTokens: inputTokens, completionTokens: outputTokens }) ?? [],
  );
  const tokens = known.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  const isPriced = costs.length === known.length && known.length > 0;
  return { tokens: bandOf(tokens, asks), costUSD: isPriced ? bandOf(costs, asks) : null };
}

function bandOf(values: readonly number[], asks: number): Band {
  if (values.length === 0) return NOTHING;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { low: at(0.1) * asks, expected: mean * asks, high: at(0.9) * asks };
}

function sumOf(one: Band, other: Band): Band {
  return {
    low: one.low + other.low,
    expected: one.expected + other.expected,
    high: one.high + other.high,
  };
}
