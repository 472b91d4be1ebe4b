import type { EvaluationEvent, EvaluationStarted, Sample, SampleSolicited } from '#lib/evaluation';
import type { EventLog } from '#lib/event-store';
import { firstDifference, fold, type RecordedEvent } from '#lib/kernel';
import { proposerContext, sessionDecider, type SessionEvent } from '#lib/session';
import { solicitation, solicitationResult } from '#lib/solicitation';
import type { Verification } from '#lib/legacy-workflow';
import type { Divergence } from '#lib/workflow';
import { readableHistory } from './readable-history.js';
import { verifyBegun } from './verify-begun.js';

type History = readonly RecordedEvent<SessionEvent>[];

/** Verifies a sample that an evaluation has asked about: what was decided, what the specialist was told, and what it said. */
export async function verifySample(
  log: EventLog,
  started: RecordedEvent<EvaluationStarted>,
  { data: { sampleId, solicitationId }, revision }: RecordedEvent<SampleSolicited>,
  evaluation: readonly RecordedEvent<EvaluationEvent>[],
): Promise<Verification> {
  const { evaluationId, specialistId, samples } = started.data;
  const place = samples.findIndex((sample) => sample.sampleId === sampleId);
  const sample = samples[place];
  const { events: session } = await readableHistory<SessionEvent>(
    log,
    log.streams.of('session', sample?.sessionId ?? ''),
  );
  const asked = { solicitationId, sessionId: evaluationId, roundId: sample?.roundId, specialistId };
  const walked = await verifyBegun(log, {
    category: 'solicitation',
    id: solicitationId,
    workflow: solicitation,
    closing: evaluation
      .slice(revision)
      .find(({ type, data }) => type === 'SampleJudged' && data.solicitationId === solicitationId),
    startOf: ({ data }) => ({ ...data, ...asked, context: sample && contextOf(session, sample) }),
    resultOf: solicitationResult,
  });
  const divergence = (sample && wrongSample(started, place, sample, session)) ?? walked.divergence;
  return { ...walked, ...(divergence && { open: false, divergence }) };
}

function contextOf(history: History, { roundId }: Sample) {
  const session = fold(sessionDecider, history);
  return session && proposerContext(session, roundId);
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
