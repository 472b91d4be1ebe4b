import { ReplayReportBody, amounts, is, view } from '#lib/operations';
import { spendingMembers } from '#lib/decisions/session';
import { RunFailure } from '#lib/runs/runs';
import { FailureView } from '#lib/decisions/gates';

/** An evaluation in a list: the specialist, the rounds, and the result of an ended one. */
export class EvaluationSummary extends view({
  evaluationId: is.id,
  specialistId: is.name,
  specialistVersion: is.whole(1),
  specialistMachine: is.name,
  machineName: is.name.about('The machine whose rounds are evaluated'),
  against: is.oneOf(['exemplars', 'decisions']),
  status: is.oneOf(['running', 'completed', 'failed']),
  startedAt: is.time,
  completedAt: is.time.optional,
  failure: is.a(RunFailure).optional.about('Present if an operator gave up its run'),
  rounds: is.whole().about('The number of rounds that it is asked about'),
  matchingChoices: is
    .whole()
    .optional.about('Rounds in which it chose the decided transition. Present once the evaluation has ended'),
  transitionRate: is.number.orNull.optional.about('The share of these rounds; null without rounds'),
  stateRate: is.number.orNull.optional.about(
    'The share of the rounds in which it chose the decided target state; null without rounds',
  ),
  /** From 0 to 1: the score of `matchingChoices` of `rounds` by the `wilson` rule; 0 without rounds. */
  alignmentScore: is.number.optional,
  /** The cost with failures: as reported by the specialist, else by the prices in force; null if no cost is known. */
  totalCostUSD: is.number.orNull.optional,
  /** Like `totalCostUSD`, of the samples with a result. Absent if no cost is known. */
  costUSD: is.number.optional,
  /** Over the rounds with a latency; null if no round has one. */
  meanLatencyMsec: is.number.orNull.optional,
  numInputTokens: is.number.orNull.optional,
  numOutputTokens: is.number.orNull.optional,
  failures: is.whole().optional.about('The number of rounds without a choice'),
}) {}

class SampleAnswer extends view({
  ...amounts(spendingMembers),
  transitionName: is.text.optional,
  toState: is.text.optional,
  failure: is.a(FailureView).optional,
  matches: is.flag,
}) {}

class EvaluationSample extends view({
  sampleId: is.id,
  sessionId: is.id,
  roundId: is.text,
  state: is.text,
  transitionName: is.text,
  toState: is.text,
  solicitationId: is.id.optional.about('Present once the specialist was asked'),
  answer: is.a(SampleAnswer).optional.about('Present once the specialist has answered'),
}) {}

/** An evaluation with its rounds, as the doors show it. */
export class Evaluation extends view(EvaluationSummary, {
  samples: is.listOf(EvaluationSample).about('In the order of the decisions, the last one first'),
}) {}

/** Past proposals of a specialist compared with the decisions, without a new call. */
export class RecordedEvaluation extends view({
  specialistId: is.name,
  machineName: is.name,
  against: is.oneOf(['record']),
  rounds: is.whole(),
  matchingChoices: is.whole(),
  transitionRate: is.number.orNull,
  stateRate: is.number.orNull,
  alignmentScore: is.number,
  totalCostUSD: is.number.orNull,
  meanLatencyMsec: is.number.orNull,
}) {}

export class EvaluationReplayReport extends view(ReplayReportBody, {
  evaluationId: is.id,
}) {}
