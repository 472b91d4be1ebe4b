import type { JsonObject } from '#lib/kernel';
import { spendingMembers, type VariantOverrides } from '#lib/decisions/session';
import { FailureView } from '#lib/decisions/gates';
import { amounts, is, ReplayReportBody, view } from '#lib/operations';
import { RunFailure } from '#lib/runs/runs';
import { RecordedDecision } from '../simulation/simulation.views.js';
import type { StateReport } from './report.rules.js';

export const EXPERIMENT_STATUSES = ['running', 'completed', 'stopped', 'cancelled', 'failed'] as const;
export const FLIPS = ['none', 'negative', 'positive', 'neutral'] as const;

const share = {
  share: is.number.about('From 0 to 1; 0 if there is none'),
  low: is.number.about("Wilson's interval at 95 %"),
  high: is.number,
};

class MatchShare extends view({ n: is.whole(), matches: is.whole(), ...share }) {}

class FlipShare extends view({ n: is.whole(), flips: is.whole(), ...share }) {}

class LatencyQuantiles extends view({ p50: is.number.orNull, p95: is.number.orNull }) {}

class VariantReport extends view({
  name: is.text,
  n: is.whole().about('The number of points that it answered'),
  failures: is.object<{ readonly [kind: string]: number }>().about('Asks without an answer, by their kind'),
  people: is.a(MatchShare).about('Points where its answer equals the decision of a person'),
  flips: is
    .a(FlipShare)
    .about("Points where its answer differs from the baseline's, of those that both answered"),
  negativeFlips: is.whole().about('Flips where the baseline agreed with the person who decided'),
  selfAgreement: is.number.optional.about('The share of pairs of samples of a point that agree'),
  costUSD: is.number.orNull.about('null if no price is known'),
  latencyMsec: is.a(LatencyQuantiles),
  byState: is.object<{ readonly [state: string]: StateReport }>(),
}) {}

class PairReport extends view({
  a: is.text.about('The baseline'),
  b: is.text,
  n: is.whole().about('Points that both answered'),
  onlyA: is.whole().about('Points where only the baseline agrees with the person who decided'),
  onlyB: is.whole(),
  p: is.number.about("McNemar's exact test on agreement with people"),
  verdict: is.oneOf(['same', 'different', 'not-enough']),
  needed: is
    .whole()
    .optional.about(
      'The number of points that would suffice for `same` at this share of flips; absent above the margin',
    ),
}) {}

class ExperimentReport extends view({
  variants: is.listOf(VariantReport),
  pairs: is.listOf(PairReport),
}) {}

class ExperimentProgress extends view({
  done: is.whole(),
  total: is.whole(),
  failed: is.whole(),
}) {}

class ExperimentUsage extends view({
  calls: is.whole().about('Of models, functions and webhooks'),
  inputTokens: is.whole(),
  outputTokens: is.whole(),
  costUSD: is.number.about('Of the calls whose price is known'),
}) {}

class ExperimentVariant extends view({
  name: is.text,
  specialistId: is.name,
  specialistVersion: is.whole(1),
  specialistMachine: is.name,
  overrides: is
    .object<VariantOverrides & JsonObject>()
    .about("Members in place of the registration's, and prompts in place of the states' (`prompts`)"),
}) {}

/** The report of `replay` about an experiment. */
export class ExperimentReplayReport extends view(ReplayReportBody, { experimentId: is.id }) {}

/** An experiment in a list. */
export class ExperimentSummary extends view({
  experimentId: is.id,
  name: is.text.optional,
  machineName: is.name,
  status: is.oneOf(EXPERIMENT_STATUSES),
  points: is.whole(),
  variants: is.texts,
  startedAt: is.time,
  endedAt: is.time.optional.about('Absent while it runs'),
}) {}

/** An experiment, with the answers so far. */
export class Experiment extends view({
  experimentId: is.id,
  name: is.text.optional,
  machineName: is.name,
  status: is.oneOf(EXPERIMENT_STATUSES),
  stoppedBy: is.oneOf(['calls', 'cost', 'size']).optional.about('The limit that stopped it'),
  failure: is.a(RunFailure).optional,
  points: is.whole(),
  variants: is.listOf(ExperimentVariant),
  samples: is.whole(1),
  baseline: is.text.about('`recorded`, or a variant'),
  margin: is.number,
  concurrency: is.whole(1),
  maxCalls: is.whole().optional,
  maxCostUSD: is.number.optional,
  startedAt: is.time,
  endedAt: is.time.optional,
  progress: is.a(ExperimentProgress),
  spent: is.a(ExperimentUsage),
  report: is.a(ExperimentReport),
}) {}

class EstimatedBand extends view({ low: is.number, expected: is.number, high: is.number }) {}

/** The asks of an experiment, and their expected usage. */
export class ExperimentEstimate extends view({
  points: is.whole(),
  calls: is.whole(),
  tokens: is.a(EstimatedBand).about('By the recorded usage of the same points: 10 %, mean, 90 %'),
  costUSD: is.a(EstimatedBand).orNull.about('null if a price is unknown'),
}) {}

class ExperimentAnswer extends view({
  variant: is.text,
  sample: is.whole(1),
  transitionName: is.text.optional,
  metaJson: is.object().optional,
  toState: is.text.optional,
  failure: is.a(FailureView).optional,
  callIds: is.texts.about('Of its calls to models'),
  ...amounts(spendingMembers),
}) {}

/** A point with its answers. */
export class ExperimentItem extends view({
  sessionId: is.id,
  roundId: is.text,
  state: is.text,
  recorded: is.a(RecordedDecision),
  answers: is.listOf(ExperimentAnswer),
  flip: is.oneOf(FLIPS).optional.about('Absent until the variant and the baseline have an answer'),
}) {}
