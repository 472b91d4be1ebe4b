import { experimentBatch } from './batch.workflow.js';
import { batchRequests, batchRun } from './batch-run.js';
import { experimentDecider } from './experiment.decider.js';
import type { ExperimentEvent } from './experiment.events.js';
import type { ExperimentReplayReport } from './experiments.views.js';
import { decidedRound } from '../decided-round.js';
import { solicitation } from '#lib/decisions/solicitation';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
import {
  readableHistory,
  type ReplayedLog,
  replayTotals,
  type Verification,
  verifyDecisions,
  verifyRunTree,
} from '#lib/runs/runs/core';
import {
  type Divergence,
  divergenceFromError,
  endOfRun,
  locationOf,
  WorkflowRegistry,
  type WorkflowStarted,
} from '#lib/workflow';

const workflows = new WorkflowRegistry([experimentBatch, solicitation]);

type History = readonly RecordedEvent<ExperimentEvent>[];

/**
 * Verifies an experiment: its own stream by deciding every command again, each batch and its solicitations by their rules, the
 * input and the recorded end of each batch, and each point against its session. The sessions themselves are verified by
 * `verifySession`. Nothing is written.
 * @returns `undefined` if there is no such experiment
 */
export async function verifyExperiment(
  log: ReplayedLog,
  experimentId: string,
): Promise<ExperimentReplayReport | undefined> {
  const stream = log.streams.of('experiment', experimentId);
  const { events, damage, digest } = await readableHistory<ExperimentEvent>(log, stream);
  if (events.length === 0 && !damage) return undefined;
  const { derived, divergence: own } = verifyDecisions(experimentDecider, events, 0, digest);
  const divergence = own ?? damage ?? (await wrongPoint(log, events));
  const parts: Verification[] = [{ derived, given: 0, open: false, divergence }];
  for (const request of events) {
    const batchId = batchRequests.askedBy(request);
    if (batchId !== undefined) parts.push(...(await verifyBatch(log, events, request, batchId)));
  }
  return { experimentId, ...replayTotals(parts) };
}

async function verifyBatch(
  log: ReplayedLog,
  experiment: History,
  request: RecordedEvent<ExperimentEvent>,
  batchId: string,
): Promise<readonly Verification[]> {
  const stream = log.streams.of(experimentBatch.name, batchId);
  const [own, ...children] = await verifyRunTree(log, workflows, stream);
  if (!own) return [];
  const { events } = await readableHistory(log, stream);
  const wrong = wrongInput(events[0], request, experiment) ?? wrongEnd(events, experiment, batchId);
  const divergence = own.divergence ?? wrong;
  return [{ ...own, ...(divergence && { open: false, divergence }) }, ...children];
}

function wrongInput(
  start: RecordedEvent | undefined,
  request: RecordedEvent<ExperimentEvent>,
  experiment: History,
): Divergence | undefined {
  if (start?.type !== 'WorkflowStarted') return undefined;
  const { input } = start.data as WorkflowStarted['data'];
  try {
    const difference = firstDifference(input, batchRun.input(request, experiment), '/data/input');
    return difference && { ...locationOf(start), ...difference };
  } catch (error) {
    // The recorded request asks for points or variants that the experiment does not have.
    return divergenceFromError(request, error);
  }
}

/** The end in the experiment must equal the end of the batch. */
function wrongEnd(
  run: readonly RecordedEvent[],
  experiment: History,
  batchId: string,
): Divergence | undefined {
  const taken = experiment.find((event) => batchRequests.takenBy(event) === batchId);
  const end = endOfRun(run);
  if (!taken || !end) return undefined;
  const command = batchRun.closing('', batchId, end);
  const expected = 'result' in command.data ? command.data.result : undefined;
  const { batchId: _, ...recorded } = taken.data as { readonly batchId: string };
  const difference = firstDifference(recorded, expected, '/data');
  return difference && { ...locationOf(taken), ...difference };
}

/** The first point that differs from its session. */
async function wrongPoint(log: ReplayedLog, [start]: History): Promise<Divergence | undefined> {
  if (start?.type !== 'ExperimentStarted') return undefined;
  for (const [index, point] of start.data.points.entries()) {
    const difference = firstDifference(point, await decidedRound(log, point), `/data/points/${index}`);
    if (difference) return { ...locationOf(start), ...difference };
  }
  return undefined;
}
