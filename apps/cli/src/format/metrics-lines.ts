import type { CollapseMetrics, MonitoringSignal } from '#lib/monitoring';
import { alignmentTable } from './alignment-lines.js';
import { oneLine } from './one-line.js';
import type { Paint, Style } from './paint.js';
import { percent } from './percent.js';
import { table } from './table.js';

/** How far a machine has come, part by part; a part without anything is left out. */
export function metricsLines(metrics: CollapseMetrics, paint: Paint): readonly string[] {
  const { machineName, specialists, alignment, signals } = metrics;
  return [
    paint('bold', `machine ${machineName}`),
    ...countLines(metrics),
    ...part('States', metrics.states.length, table(stateColumns, stateRows(metrics)), paint),
    ...part('Who proposed what was decided', specialists.length, winLines(metrics), paint),
    ...part('Alignment with people', alignment.length, alignmentTable(alignment), paint),
    ...part('Signals', signals.length, signalLines(signals, paint), paint),
  ];
}

function countLines(metrics: CollapseMetrics): readonly string[] {
  const { totalDecisions, aiDecisions, agreedDecisions, humanDecisions, operatorDecisions, meanMargin } =
    metrics;
  const operators = operatorDecisions === 0 ? '' : ` (and ${operatorDecisions} by operators)`;
  return [
    `  decisions    ${totalDecisions}: ${aiDecisions} by models alone, ${agreedDecisions} as a person proposed, ${humanDecisions} by people${operators}`,
    `  collapse     ${percent(metrics.collapseRatio)} without a person, ${percent(metrics.recentCollapseRatio)} of the last 10`,
    `  mean margin  ${meanMargin === null ? '-' : meanMargin.toFixed(2)}`,
  ];
}

function part(title: string, count: number, lines: readonly string[], paint: Paint): readonly string[] {
  return count === 0 ? [] : ['', paint('bold', title), ...lines];
}

const stateColumns = [
  { title: 'state' },
  { title: 'decisions', align: 'right' },
  { title: 'by models alone', align: 'right' },
] as const;

function stateRows({ states }: CollapseMetrics): readonly (readonly string[])[] {
  return states.map(({ state, totalDecisions, collapseRatio }) => [
    oneLine(state),
    String(totalDecisions),
    percent(collapseRatio),
  ]);
}

const winColumns = [
  { title: 'specialist' },
  { title: 'proposals', align: 'right' },
  { title: 'decided so', align: 'right' },
  { title: 'rate', align: 'right' },
] as const;

function winLines({ specialists }: CollapseMetrics): readonly string[] {
  const rows = specialists.map(({ specialistId, isHuman, totalProposals, winningProposals, winRate }) => [
    isHuman ? `${specialistId} (a person)` : specialistId,
    String(totalProposals),
    String(winningProposals),
    percent(winRate),
  ]);
  return table(winColumns, rows);
}

const styles: { readonly [Level in MonitoringSignal['level']]: Style } = {
  action: 'red',
  warning: 'yellow',
  info: 'dim',
};

function signalLines(signals: readonly MonitoringSignal[], paint: Paint): readonly string[] {
  return signals.map(
    ({ code, level, text }) => `  ${paint(styles[level], level.padEnd(7))}  ${code.padEnd(17)}  ${text}`,
  );
}
