import { Bench } from 'tinybench';
import type { Comparison } from './comparison.js';
import { median } from './median.js';
import { quantile } from './quantile.js';

/** Rates are medians over the blocks, in units a second. */
export interface Measured extends Pick<Comparison, 'name' | 'compared' | 'unit' | 'goal' | 'blocks'> {
  readonly oursPerSecond: number;
  readonly barePerSecond: number;
  /** Ours to bare: the median of the blocks' own ratios, so that a machine that becomes slower meanwhile has little effect. */
  readonly ratio: number;
  /** The ratios between which the middle half of the blocks lies. */
  readonly spread: readonly [low: number, high: number];
}

type Side = 'ours' | 'bare';
type Rates = { readonly [S in Side]: number };

/** A comparison that has taken longer than this ends early, but not before it has enough blocks for a median. */
const LONG_ENOUGH_MS = 8000;
const FEWEST_BLOCKS = 3;

/** Lets both sides take turns in short blocks, after one block that does not count. */
export async function measure(comparison: Comparison): Promise<Measured> {
  const { name, compared, unit, goal } = comparison;
  await measureBlock(comparison, ['ours', 'bare']);
  const rates: Rates[] = [];
  const deadline = performance.now() + LONG_ENOUGH_MS;
  while (wantsMore(comparison, rates.length, deadline)) {
    rates.push(await measureBlock(comparison, rates.length % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']));
  }
  const ratios = rates.map(({ ours, bare }) => ours / bare);
  return {
    name,
    compared,
    unit,
    ...(goal !== undefined && { goal }),
    blocks: rates.length,
    oursPerSecond: median(rates.map(({ ours }) => ours)),
    barePerSecond: median(rates.map(({ bare }) => bare)),
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

function wantsMore({ blocks }: Comparison, done: number, deadline: number): boolean {
  return done < FEWEST_BLOCKS || (done < blocks && performance.now() < deadline);
}

async function measureBlock(comparison: Comparison, order: readonly Side[]): Promise<Rates> {
  const block = new Bench({
    iterations: comparison.callsPerBlock,
    time: 0,
    warmup: false,
    throws: true,
    ...(comparison.byProcessorTime && { now: processorTime }),
  });
  for (const side of order) block.add(side, () => comparison[side](), { async: true });
  await block.run();
  return { ours: rateOf(block, 'ours', comparison), bare: rateOf(block, 'bare', comparison) };
}

/** The processor time of all threads of this process, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function rateOf(block: Bench, side: Side, { unitsPerCall }: Comparison): number {
  const result = block.getTask(side)?.result;
  if (result?.state !== 'completed') throw new Error(`The side ${side} was not measured.`);
  return (unitsPerCall * 1000) / result.latency.mean;
}
