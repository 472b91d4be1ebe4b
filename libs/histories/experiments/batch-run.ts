import { fold, type Json, type JsonObject, type RecordedEvent } from '#lib/kernel';
import type { WithdrawnRuns } from '#lib/runs/runs/core';
import { type RunEnd, runIdsIn } from '#lib/workflow';
import type { Ask, BatchInput } from './batch.input.js';
import {
  type EndBatch,
  type ExperimentCommand,
  experimentDecider,
  type ExperimentState,
} from './experiment.decider.js';
import type { ExperimentBatchRequested, ExperimentEvent } from './experiment.events.js';

/** The batches that experiments ask for, and their ends. */
export const batchRequests = {
  category: 'experiment',
  workflow: 'experiment_batch',
  askedBy: (event) => batchIdOf(event as ExperimentEvent, ['ExperimentBatchRequested']),
  takenBy: (event) => batchIdOf(event as ExperimentEvent, ['ExperimentBatchEnded', 'ExperimentBatchFailed']),
  withdrawnBy: ({ data }) => runIdsIn(data, 'endsBatches'),
} as const satisfies WithdrawnRuns<ExperimentState, ExperimentCommand, ExperimentEvent>['requests'];

function batchIdOf(
  { type, data }: ExperimentEvent,
  types: readonly ExperimentEvent['type'][],
): string | undefined {
  return types.includes(type) && 'batchId' in data ? data.batchId : undefined;
}

/** Batches as runs that experiments ask for. */
export const batchRun: WithdrawnRuns<ExperimentState, ExperimentCommand, ExperimentEvent> = {
  decider: experimentDecider,
  requests: batchRequests,
  withdrawalReason: 'the experiment is cancelled',
  isUnattended: true,
  members: ['batchId', 'endsBatches'],
  input: (request, history) => inputOf(request as RecordedEvent<ExperimentBatchRequested>, history),
  closing: (experimentId, batchId, end) => ({
    type: 'EndBatch',
    data: { experimentId, batchId, result: resultOf(end) },
  }),
};

function inputOf(
  { data, revision }: RecordedEvent<ExperimentBatchRequested>,
  history: readonly RecordedEvent<ExperimentEvent>[],
): Json {
  const before = history.filter((event) => event.revision <= revision);
  const experiment = fold(experimentDecider, before);
  if (!experiment) throw new TypeError('A batch was asked for before its experiment was started.');
  const { started, caps, spent } = experiment;
  const { experimentId, machineName, concurrency, variants } = started;
  const { maxCalls, maxCostUSD } = caps;
  const input: BatchInput = {
    experimentId,
    machineName,
    concurrency,
    variants: variants.map(({ name: _, ...variant }) => variant),
    asks: Array.from({ length: data.asks }, (_, index) => askOf(started, data.from + index)),
    ...(maxCalls !== undefined && { maxCalls: maxCalls - spent.calls }),
    ...(maxCostUSD !== undefined && { maxCostUSD: maxCostUSD - spent.costUSD }),
  };
  return input as object as JsonObject;
}

/** The ask with this number. Samples are counted first, then variants, then points. */
function askOf({ points, variants, samples }: NonNullable<ExperimentState>['started'], number: number): Ask {
  const variant = Math.floor(number / samples) % variants.length;
  const point = points[Math.floor(number / (samples * variants.length))];
  if (!point) throw new TypeError(`The experiment has no ask ${number}.`);
  const { sessionId, roundId, revision } = point;
  return { id: String(number), variant, sessionId, roundId, revision };
}

function resultOf({ status, result, failure }: RunEnd): EndBatch['data']['result'] {
  if (status === 'completed')
    return result as object as Exclude<EndBatch['data']['result'], { failure: unknown }>;
  const { kind = status, message = `The batch was ${status}.` } = failure ?? {};
  return { failure: { kind, message } };
}
