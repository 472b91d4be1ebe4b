import {
  type EvaluationEvent,
  type EvaluationStarted,
  type Sample,
  sampleRequests,
  type SampleSolicited,
} from '#lib/evaluation';
import type { EventLog } from '#lib/event-store';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
import { roundStart, type SessionEvent } from '#lib/session';
import { solicitation, solicitationResult } from '#lib/solicitation';
import type { Divergence } from '#lib/workflow';
import { readableHistory } from './readable-history.js';
import { verifyOwnedRun } from './verify-owned-run.js';
import type { Verification } from './replay-report.js';

type History = readonly RecordedEvent<SessionEvent>[];

/** Verifies a sample that an evaluation has asked about: what was decided, what the specialist was told, and what it said. */
export async function verifySample(
  log: EventLog,
  started: RecordedEvent<EvaluationStarted>,
  { data: { sampleId, solicitationId }, revision }: RecordedEvent<SampleSolicited>,
  evaluation: readonly RecordedEvent<EvaluationEvent>[],
): Promise<Verification> {
  const { samples } = started.data;
  const place = samples.findIndex((sample) => sample.sampleId === sampleId);
  const sample = samples[place];
  const { events: session } = await readableHistory<SessionEvent>(
    log,
    log.streams.of('session', sample?.sessionId ?? ''),
  );
  const request = evaluation[revision];
  if (!sample || !request) return { derived: 0, given: 0, open: true };
  const closing = evaluation.find((event) => sampleRequests.takenBy(event) === solicitationId);
  const walked = await verifyOwnedRun(log, evaluation, {
    workflow: solicitation,
    runId: solicitationId,
    request,
    context: session.slice(0, roundStart(session, sample.roundId) + 1),
    closing,
    resultOf: solicitationResult,
  });
  const divergence = wrongSample(started, place, sample, session) ?? walked.divergence;
  return { ...walked, ...(divergence && { open: false, divergence }) };
}

/** A sample must say what its session says was decided. */
function wrongSample(
  { stream, revision, type }: RecordedEvent<EvaluationStarted>,
  place: number,
  sample: Sample,
  session: History,
): Divergence | undefined {
  const decision = session.find(
    (event) => event.type === 'TransitionExecuted' && event.data.roundId === sample.roundId,
  );
  const data = decision?.type === 'TransitionExecuted' ? decision.data : undefined;
  const { sampleId, sessionId, roundId } = sample;
  const decided = { state: data?.fromState, transitionName: data?.transitionName, toState: data?.toState };
  const replayed = { sampleId, sessionId, roundId, ...decided };
  const difference = firstDifference(sample, replayed, `/data/samples/${place}`);
  return difference && { stream, revision, type, ...difference };
}
