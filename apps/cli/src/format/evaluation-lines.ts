import type { Evaluation, RecordedEvaluation } from '#lib/evaluations';

type Amount = number | null | undefined;

/** How a specialist did in past rounds. */
export function evaluationLines(answer: Evaluation | RecordedEvaluation): readonly string[] {
  const { specialistId, machineName, against } = answer;
  return [
    `${specialistId} in ${answer.rounds} rounds of ${machineName}, against ${against}`,
    `  same transition  ${answer.matchingChoices} (${shown(answer.transitionRate, percent)})`,
    `  same state       ${shown(answer.stateRate, percent)}`,
    `  alignment        ${shown(answer.alignmentScore, (score) => score.toFixed(2))}`,
    `  mean latency     ${shown(answer.meanLatencyMsec, (ms) => `${Math.round(ms)} ms`)}`,
    ...('evaluationId' in answer ? [`  evaluation       ${answer.evaluationId}`] : []),
  ];
}

function shown(amount: Amount, text: (amount: number) => string): string {
  return amount === null || amount === undefined ? '-' : text(amount);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
