import type { TurnView } from '#lib/flows/core';
import { oneLine } from './one-line.js';

/** The flow, step, data, tools and signals of a turn, without its message. */
export function chatLines({
  executedSteps,
  dataChanges,
  toolCalls,
  triggeredSignals,
  stoppedReason,
  awaiting = [],
}: TurnView): readonly string[] {
  const steps = executedSteps.map(({ flowId, stepId }) => `${flowId}/${stepId}`);
  const data = Object.entries(dataChanges).map(([name, { to }]) => `${name}=${JSON.stringify(to ?? null)}`);
  const parts = [
    ...(steps.length > 0 ? [steps.join(' → ')] : []),
    ...data,
    ...toolCalls.map(({ toolId, status }) => `${toolId} ${status}`),
    ...triggeredSignals.map(({ signalId }) => `signal ${signalId}`),
    ...(stoppedReason === undefined ? [] : [stoppedReason]),
  ];
  return [
    ...(parts.length > 0 ? [`  ${oneLine(parts.join(' · '))}`] : []),
    ...awaiting.map(
      ({ signal, prompt }) => `  waits for ${signal} of ${oneLine(JSON.stringify(prompt))}: y or n`,
    ),
  ];
}
