import type { Experiment, ExperimentEstimate } from '#lib/histories';
import { oneLine } from '#lib/kernel';
import type { Paint } from '../io.js';
import { markdownRow } from './markdown.js';
import { type Columns, part, table } from './table.js';
import { known, percent, wholeMs } from './text.js';

type VariantReport = Experiment['report']['variants'][number];
type PairReport = Experiment['report']['pairs'][number];
type Share = Pick<VariantReport['flips'], 'share' | 'low' | 'high'>;

const VARIANTS: Columns<VariantReport> = {
  variant: ({ name }) => oneLine(name, 30),
  points: ({ n }) => n,
  failures: ({ failures }) => Object.values(failures).reduce((sum, count) => sum + count, 0),
  flips: ({ flips }) => shareText(flips),
  '0 % to 100 %': ({ flips }) => bar(flips),
  negative: ({ negativeFlips }) => negativeFlips,
  'as people': ({ people }) => (people.n === 0 ? '-' : shareText(people)),
  'with itself': ({ selfAgreement }) => known(selfAgreement, percent),
  'US dollars': ({ costUSD }) => known(costUSD, dollars),
  'ms (p50)': ({ latencyMsec }) => known(latencyMsec.p50, wholeMs),
};

const PAIRS: Columns<PairReport> = {
  pair: ({ a, b }) => `${oneLine(b, 30)} against ${oneLine(a, 30)}`,
  points: ({ n }) => n,
  'only baseline right': ({ onlyA }) => onlyA,
  'only variant right': ({ onlyB }) => onlyB,
  p: ({ p }) => p.toFixed(3),
  verdict: ({ verdict }) => verdict,
  'points for same': ({ needed }) => needed,
};

type Band = ExperimentEstimate['tokens'];
type EstimateRow = {
  readonly use: string;
  readonly band: Band | null;
  text(this: void, value: number): string;
};

const ESTIMATE: Columns<EstimateRow> = {
  use: ({ use }) => use,
  '10 %': ({ band, text }) => band && text(band.low),
  mean: ({ band, text }) => band && text(band.expected),
  '90 %': ({ band, text }) => band && text(band.high),
};

/** The asks of an experiment, and their expected usage. */
export function estimateLines(estimate: ExperimentEstimate): readonly string[] {
  return [estimateHeading(estimate), ...table(ESTIMATE, estimateRows(estimate)), ...unknownCost(estimate)];
}

export function estimateMarkdown(estimate: ExperimentEstimate): readonly string[] {
  const unknown = unknownCost(estimate);
  return [
    estimateHeading(estimate),
    '',
    ...markdownTable(ESTIMATE, estimateRows(estimate)),
    ...(unknown.length > 0 ? ['', ...unknown] : []),
  ];
}

function estimateHeading({ points, calls }: ExperimentEstimate): string {
  return `${points} points, ${calls} calls; by the recorded calls of the same points:`;
}

/** Without a recorded call the tokens are not known either. */
function estimateRows({ tokens, costUSD }: ExperimentEstimate): readonly EstimateRow[] {
  const isKnown = costUSD !== null || tokens.high > 0;
  return [
    { use: 'tokens', band: isKnown ? tokens : null, text: (value) => String(Math.round(value)) },
    { use: 'US dollars', band: costUSD, text: dollars },
  ];
}

function unknownCost({ costUSD }: ExperimentEstimate): readonly string[] {
  return costUSD === null
    ? ['The cost is not known: a model has no price, or no call of these points reported its usage.']
    : [];
}

/** An experiment with the report on the answers so far. */
export function experimentLines(experiment: Experiment, paint: Paint): readonly string[] {
  const { report } = experiment;
  return [
    paint('bold', headingOf(experiment)),
    `  ${progressLine(experiment)}`,
    ...part(paint('bold', 'Variants'), report.variants, table(VARIANTS, report.variants)),
    ...part(paint('bold', 'Against the baseline'), report.pairs, table(PAIRS, report.pairs)),
  ];
}

/** An experiment by its id, with its subject. */
export function headingOf({ experimentId, name, machineName, points }: Experiment): string {
  const named = name === undefined ? '' : ` (${oneLine(name, 60)})`;
  return `experiment ${experimentId}${named}: ${points} points of ${machineName}`;
}

/** The progress of an experiment, and its cost so far. Without a price the cost is unknown, not 0. */
export function progressLine({ status, stoppedBy, progress, spent, report }: Experiment): string {
  const { done, total, failed } = progress;
  const why = stoppedBy === undefined ? '' : ` by the limit of ${stoppedBy}`;
  const tokens = `${spent.calls} calls, ${spent.inputTokens + spent.outputTokens} tokens`;
  const isPriced = report.variants.some(({ costUSD }) => costUSD !== null);
  const isKnown = isPriced || spent.costUSD > 0 || spent.calls === 0;
  const cost = isKnown ? `$${dollars(spent.costUSD)}` : 'cost not known';
  return `${status}${why}: ${done} of ${total} asked, ${failed} failed; ${tokens}, ${cost}`;
}

export function experimentMarkdown(experiment: Experiment): readonly string[] {
  const { report } = experiment;
  return [
    `# ${headingOf(experiment)}`,
    '',
    progressLine(experiment),
    '',
    ...markdownTable(VARIANTS, report.variants),
    ...(report.pairs.length > 0 ? ['', ...markdownTable(PAIRS, report.pairs)] : []),
  ];
}

function markdownTable<Item>(columns: Columns<Item>, items: readonly Item[]): readonly string[] {
  const titles = Object.keys(columns);
  const cells = items.map((item) => Object.values(columns).map((cell) => cell(item) ?? '-'));
  return [titles, titles.map(() => '---'), ...cells].map(markdownRow);
}

function shareText({ share, low, high }: Share): string {
  return `${percent(share)} (${percent(low)} to ${percent(high)})`;
}

function dollars(value: number): string {
  return value.toFixed(4);
}

const WIDTH = 20;

/** The share as a bar, with its interval as a lighter one. */
function bar({ share, low, high }: Share): string {
  const places = [...Array(WIDTH).keys()].map((place) => (place + 0.5) / WIDTH);
  return places
    .map((at) => (at < Math.min(share, low) ? '█' : at < share ? '▓' : at < high ? '░' : '·'))
    .join('');
}
