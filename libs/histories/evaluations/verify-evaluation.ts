import type { EventLog } from '#lib/event-store';
import { firstDifference } from '#lib/kernel';
import { readableHistory, replayTotals, verifyRunTree } from '#lib/runs/runs/core';
import { decidedRound } from '../decided-round.js';
import { solicitation } from '#lib/decisions/solicitation';
import { type Divergence, locationOf, WorkflowRegistry, type WorkflowStarted } from '#lib/workflow';
import { verifyExperiment } from '../experiments/verify-experiment.js';
import type { EvaluationInput, Sample } from './evaluation.input.js';
import { evaluation } from './evaluation.workflow.js';
import type { EvaluationReplayReport } from './evaluations.views.js';

const workflows = new WorkflowRegistry([evaluation, solicitation]);

/**
 * Verifies an evaluation: its run and its solicitations by their rules, and its samples against the streams of their sessions.
 * The sessions themselves are verified by `verifySession`. Nothing is written.
 * @returns `undefined` if there is no such evaluation
 */
export async function verifyEvaluation(
  log: EventLog,
  evaluationId: string,
): Promise<EvaluationReplayReport | undefined> {
  const experiment = await verifyExperiment(log, evaluationId);
  if (experiment) {
    const { experimentId: _, ...report } = experiment;
    return { evaluationId, ...report };
  }
  const stream = log.streams.of(evaluation.name, evaluationId);
  const [own, ...children] = await verifyRunTree(log, workflows, stream);
  if (!own) return undefined;
  const wrong = await wrongSample(log, stream);
  const parts = [{ ...own, ...(wrong && { open: false, divergence: wrong }) }, ...children];
  return { evaluationId, ...replayTotals(parts) };
}

/** The first sample that differs from its session. */
async function wrongSample(log: EventLog, stream: string): Promise<Divergence | undefined> {
  const [start] = (await readableHistory<WorkflowStarted>(log, stream)).events;
  const { samples = [] } = (start?.data.input ?? {}) as object as Partial<EvaluationInput>;
  for (const [index, sample] of samples.entries()) {
    const difference = firstDifference(sample, await decidedIn(log, sample), `/data/input/samples/${index}`);
    if (start && difference) return { ...locationOf(start), ...difference };
  }
  return undefined;
}

/** The sample as recorded by its session. */
async function decidedIn(log: EventLog, { sampleId, ...sample }: Sample): Promise<Sample | undefined> {
  const round = await decidedRound(log, sample);
  if (!round) return undefined;
  const { revision, decidedBy: _decidedBy, isHuman: _isHuman, ...decided } = round;
  return { sampleId, ...decided, revision };
}
