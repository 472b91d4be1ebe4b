import { is, view } from '#lib/operations';
import { Tokens } from '#lib/runs/runs';

const SIGNALS = [
  'COLD_START',
  'SINGLE_SPECIALIST',
  'LOW_ALIGNMENT',
  'FEW_COMPARISONS',
  'THIN_MARGIN',
  'FULL_COLLAPSE',
  'ALIGNMENT_PLATEAU',
] as const;
const LEVELS = ['action', 'warning', 'info'] as const;
const decidedMembers = {
  humanDecisions: is.whole().about('Decisions that a person forced'),
  agreedDecisions: is
    .whole()
    .about('Decisions of an arbiter for a transition that a person had also proposed'),
  aiDecisions: is.whole().about('Decisions of an arbiter for a transition that no person had proposed'),
};
abstract class DecisionCounts extends view({
  totalDecisions: is.whole().about('Decisions of people and of arbiters'),
  ...decidedMembers,
  operatorDecisions: is.whole().about('Transitions that an operator executed: not in the total'),
  timerDecisions: is
    .whole(1)
    .optional.about('Transitions that a timer executed: not in the total; absent if there are none'),
  collapseRatio: is.number.about(
    'Share of the decisions that models made alone, from 0 to 1; 0 before there was any',
  ),
  meanMargin: is.number.orNull.about('The mean over the decisions with a margin; null if there is none'),
}) {}

/** The decisions of a UTC day in one state of a machine, or in all. */
export class DecisionDay extends view({
  day: is.text.about('The UTC day', { example: '2026-01-31' }),
  machineName: is.name.optional.about('Absent with `by=day`'),
  state: is.text.optional.about('The state that was left; absent with `by=day`'),
  ...decidedMembers,
  operatorDecisions: is.whole().about('Transitions that an operator executed'),
  timerDecisions: is.whole().about('Transitions that a timer executed'),
}) {}

class StateDecisionCounts extends view(DecisionCounts, {
  state: is.text,
}) {}

export class SpecialistAlignment extends view({
  specialistId: is.name,
  specialistVersion: is.whole(1),
  state: is.text.optional.about('Present if the machine declares specialists for that state'),
  matchingChoices: is.number,
  totalComparisons: is.number,
  alignmentScore: is.number.about('From 0 to 1'),
}) {}

class SpecialistWins extends view({
  specialistId: is.name,
  isHuman: is.flag,
  totalProposals: is.whole().about('Proposals in rounds that people or arbiters decided'),
  winningProposals: is.whole().about('Proposals for the decided transition'),
  winRate: is.number,
}) {}

export class MonitoringSignal extends view({
  code: is.oneOf(SIGNALS),
  level: is
    .oneOf(LEVELS)
    .about('`action`: a person has to act. `warning`: a risk. `info`: a fact worth knowing'),
  text: is.text.about('One sentence for people'),
}) {}

export class CollapseMetrics extends view(DecisionCounts, {
  machineName: is.name,
  recentCollapseRatio: is.number.about('`collapseRatio` of the last 10'),
  states: is.listOf(StateDecisionCounts).about('The numbers of each state with decisions, by name'),
  alignment: is.listOf(SpecialistAlignment).about('By the rule that sessions use'),
  specialists: is.listOf(SpecialistWins),
  signals: is.listOf(MonitoringSignal),
}) {}

export class MachineAlignment extends view({
  items: is
    .listOf(SpecialistAlignment)
    .about('In the order of states, those of the whole machine first, then of specialist ids and versions'),
  rule: is.text.about('The rule as text', { example: 'wilson;halfLife=20' }),
  ruleVersion: is.whole(1),
  position: is.text.optional.about('The position of the last comparison in the log; absent before the first'),
}) {}

class Latency extends view({
  p50: is.number,
  p95: is.number,
  p99: is.number,
}) {}

export class Amount extends view({
  currency: is.text,
  amount: is.number,
}) {}

export class ModelCapability extends view({
  provider: is.name,
  model: is.text.about('Its name at the provider'),
  member: is.text.about('The member of the body of a request that the provider refused', {
    example: 'temperature',
  }),
  instead: is.text.optional.about('The member that replaces it; absent if it is left out'),
  calls: is.whole(1).about('The number of calls that observed it'),
  firstAt: is.time,
  lastAt: is.time.about('The last refusal: runs that start within 7 days after it leave the member out'),
}) {}

export class ModelSummary extends view({
  provider: is.name,
  model: is.text.about('Its name at the provider'),
  day: is.text.optional.about('The UTC day; absent if all days are taken together', {
    example: '2026-01-31',
  }),
  calls: is.whole(),
  failedCalls: is.whole(),
  toolCallRate: is.number.orNull.about(
    'The share of answers with a tool call among those with tools on offer; null without such answers',
  ),
  solicitations: is.whole(),
  fallbacks: is.whole().about('Steps down the ladder in those solicitations'),
  meanFallbackDepth: is.number,
  maxFallbackDepth: is.whole(),
  malformedArguments: is.whole().about('Tool calls whose arguments are not a JSON object'),
  invalidArguments: is.whole().about("Tool calls whose arguments do not fit the transition's parameters"),
  inputTokens: is.whole(),
  outputTokens: is.whole(),
  tokens: is.a(Tokens).about('The same, each in one bucket'),
  meanDurationMs: is.number.orNull.about('The mean over the calls with an outcome; null without any'),
  latencyMs: is
    .a(Latency)
    .orNull.about('Percentiles of the same calls, in two significant digits; null without any'),
  costs: is.listOf(Amount).about('By currency; empty if no call has a price'),
  unpricedCalls: is.whole().about('Calls that have an outcome and no price'),
}) {}
