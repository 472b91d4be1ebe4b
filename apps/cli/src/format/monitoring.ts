import { oneLine } from '#lib/kernel';
import type { Evaluation, RecordedEvaluation } from '#lib/histories';
import type {
  CollapseMetrics,
  MachineAlignment,
  MonitoringSignal,
  SpecialistAlignment,
} from '#lib/decisions/metrics';
import type { Paint, Style } from '../io.js';
import { type Columns, members, part, table } from './table.js';
import { known, percent, wholeMs } from './text.js';

const STATES: Columns<CollapseMetrics['states'][number]> = {
  state: ({ state }) => oneLine(state),
  decisions: ({ totalDecisions }) => totalDecisions,
  'by models alone': ({ collapseRatio }) => percent(collapseRatio),
};

const WINS: Columns<CollapseMetrics['specialists'][number]> = {
  specialist: ({ specialistId, isHuman }) => (isHuman ? `${specialistId} (a person)` : specialistId),
  proposals: ({ totalProposals }) => totalProposals,
  'decided so': ({ winningProposals }) => winningProposals,
  rate: ({ winRate }) => percent(winRate),
};

const ALIGNMENT: Columns<SpecialistAlignment> = {
  specialist: ({ specialistId }) => specialistId,
  state: ({ state }) => (state === undefined ? '(all)' : oneLine(state, 40)),
  'chose alike': ({ matchingChoices }) => matchingChoices,
  compared: ({ totalComparisons }) => totalComparisons,
  score: ({ alignmentScore }) => alignmentScore.toFixed(3),
};

const STYLES: { readonly [Level in MonitoringSignal['level']]: Style } = {
  action: 'red',
  warning: 'yellow',
  info: 'dim',
};

/** A machine's progress towards deciding without people, by parts; empty parts are left out. */
export function metricsLines(metrics: CollapseMetrics, paint: Paint): readonly string[] {
  const { machineName, states, specialists, alignment, signals } = metrics;
  const { operatorDecisions: byOperators, timerDecisions: byTimers = 0 } = metrics;
  const operators = byOperators === 0 ? '' : ` (and ${byOperators} by operators)`;
  const timers = byTimers === 0 ? '' : ` (and ${byTimers} by timers)`;
  const signalLines = signals.map(
    ({ code, level, text }) => `  ${paint(STYLES[level], level.padEnd(7))}  ${code.padEnd(17)}  ${text}`,
  );
  return [
    paint('bold', `machine ${machineName}`),
    ...members({
      decisions: `${metrics.totalDecisions}: ${metrics.aiDecisions} by models alone, ${metrics.agreedDecisions} as a person proposed, ${metrics.humanDecisions} by people${operators}${timers}`,
      collapse: `${percent(metrics.collapseRatio)} without a person, ${percent(metrics.recentCollapseRatio)} of the last 10`,
      'mean margin': metrics.meanMargin?.toFixed(2) ?? null,
    }),
    ...part(paint('bold', 'States'), states, table(STATES, states)),
    ...part(paint('bold', 'Proposers of the decisions'), specialists, table(WINS, specialists)),
    ...part(paint('bold', 'Alignment with people'), alignment, table(ALIGNMENT, alignment)),
    ...part(paint('bold', 'Signals'), signals, signalLines),
  ];
}

/** The agreement of each proposer with people, under the requested rule. */
export function alignmentLines({ items, rule, ruleVersion }: MachineAlignment): readonly string[] {
  const lines = table(ALIGNMENT, items, 'no proposer was compared with a person yet');
  return items.length === 0 ? lines : [`rule ${rule} (version ${ruleVersion})`, ...lines];
}

/** The accuracy of a specialist in past rounds. */
export function evaluationLines(answer: Evaluation | RecordedEvaluation): readonly string[] {
  const { specialistId, machineName, rounds, against, matchingChoices } = answer;
  return [
    `${specialistId} in ${rounds} rounds of ${machineName}, against ${against}`,
    ...members({
      status: 'status' in answer && answer.status !== 'completed' ? notCompleted(answer) : undefined,
      'same transition': known(
        matchingChoices,
        (count) => `${count} (${known(answer.transitionRate, percent)})`,
      ),
      'same state': known(answer.stateRate, percent),
      alignment: known(answer.alignmentScore, (score) => score.toFixed(2)),
      'mean latency': known(answer.meanLatencyMsec, (ms) => `${wholeMs(ms)} ms`),
      evaluation: 'evaluationId' in answer ? answer.evaluationId : undefined,
    }),
  ];
}

function notCompleted({ status, failure }: Evaluation): string {
  return failure ? `${status}: ${oneLine(failure.message, 300)}` : status;
}
