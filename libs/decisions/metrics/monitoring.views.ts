import { IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';
import { Describe, IsA, IsListOf, IsName, IsTime, IsWhole, Optional, OrNull } from '#lib/operations';
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
abstract class DecisionCounts {
  @Describe('Those of people and of arbiters')
  @IsWhole()
  totalDecisions!: number;

  @Describe('Those that a person forced')
  @IsWhole()
  humanDecisions!: number;

  @Describe('Those of an arbiter for a transition that a person had proposed, too')
  @IsWhole()
  agreedDecisions!: number;

  @Describe('Those of an arbiter that no person had proposed')
  @IsWhole()
  aiDecisions!: number;

  @Describe('Transitions that an operator executed: not in the total')
  @IsWhole()
  operatorDecisions!: number;

  @Describe('Transitions that a timer executed: not in the total; absent if there are none')
  @Optional()
  @IsWhole(1)
  timerDecisions?: number;

  @Describe('Share of the decisions that models made alone, from 0 to 1; 0 before there was any')
  @IsNumber()
  collapseRatio!: number;

  @Describe('The mean over the decisions with a margin; null if there is none')
  @OrNull()
  @IsNumber()
  meanMargin!: number | null;
}

class StateDecisionCounts extends DecisionCounts {
  @IsString() state!: string;
}

export class SpecialistAlignment {
  @IsName() specialistId!: string;
  @IsWhole(1) specialistVersion!: number;

  @Describe('Present if the machine declares specialists for that state')
  @Optional()
  @IsString()
  state?: string;

  @IsNumber() matchingChoices!: number;
  @IsNumber() totalComparisons!: number;

  @Describe('From 0 to 1')
  @IsNumber()
  alignmentScore!: number;
}

class SpecialistWins {
  @IsName() specialistId!: string;
  @IsBoolean() isHuman!: boolean;

  @Describe('In decided rounds, by people and by arbiters alike')
  @IsWhole()
  totalProposals!: number;

  @Describe('For the transition that was decided')
  @IsWhole()
  winningProposals!: number;

  @IsNumber() winRate!: number;
}

export class MonitoringSignal {
  @IsIn(SIGNALS) code!: (typeof SIGNALS)[number];

  @Describe('`action`: a person has to act. `warning`: a risk. `info`: a fact worth knowing')
  @IsIn(LEVELS)
  level!: (typeof LEVELS)[number];

  @Describe('One sentence for people')
  @IsString()
  text!: string;
}

export class CollapseMetrics extends DecisionCounts {
  @IsName() machineName!: string;

  @Describe('`collapseRatio` of the last 10')
  @IsNumber()
  recentCollapseRatio!: number;

  @Describe('The numbers of each state that was left, by name')
  @IsListOf(StateDecisionCounts)
  states!: readonly StateDecisionCounts[];

  @Describe('Under the rule that decisions are made by')
  @IsListOf(SpecialistAlignment)
  alignment!: readonly SpecialistAlignment[];

  @IsListOf(SpecialistWins) specialists!: readonly SpecialistWins[];
  @IsListOf(MonitoringSignal) signals!: readonly MonitoringSignal[];
}

export class MachineAlignment {
  @Describe('By state, those of the whole machine first, then by specialist id and version')
  @IsListOf(SpecialistAlignment)
  items!: readonly SpecialistAlignment[];

  @Describe('The rule as text', { example: 'wilson;halfLife=20' })
  @IsString()
  rule!: string;

  @IsWhole(1) ruleVersion!: number;

  @Describe('The position of the last comparison in the log; absent before the first')
  @Optional()
  @IsString()
  position?: string;
}

class Latency {
  @IsNumber() p50!: number;
  @IsNumber() p95!: number;
  @IsNumber() p99!: number;
}

export class Amount {
  @IsString() currency!: string;
  @IsNumber() amount!: number;
}

export class ModelCapability {
  @IsName() provider!: string;

  @Describe('Its name at the provider')
  @IsString()
  model!: string;

  @Describe('The member of the body of a request that the provider refused', { example: 'temperature' })
  @IsString()
  member!: string;

  @Describe('The name under which it is sent; absent if it is left out')
  @Optional()
  @IsString()
  instead?: string;

  @Describe('In how many calls it was observed')
  @IsWhole(1)
  calls!: number;

  @IsTime() firstAt!: string;

  @Describe('Runs that start within 7 days send no such member')
  @IsTime()
  lastAt!: string;
}

export class ModelSummary {
  @IsName() provider!: string;

  @Describe('Its name at the provider')
  @IsString()
  model!: string;

  @Describe('The UTC day; absent if all days are taken together', { example: '2026-01-31' })
  @Optional()
  @IsString()
  day?: string;

  @IsWhole() calls!: number;
  @IsWhole() failedCalls!: number;

  @Describe('Share of the answered calls with tools on offer in which one was called; null if there was none')
  @OrNull()
  @IsNumber()
  toolCallRate!: number | null;

  @IsWhole() solicitations!: number;

  @Describe('Steps down the ladder in those solicitations')
  @IsWhole()
  fallbacks!: number;

  @IsNumber() meanFallbackDepth!: number;
  @IsWhole() maxFallbackDepth!: number;

  @Describe('Tool calls whose arguments are not a JSON object')
  @IsWhole()
  malformedArguments!: number;

  @Describe("Tool calls whose arguments are one that does not fit the transition's parameters")
  @IsWhole()
  invalidArguments!: number;

  @IsWhole() inputTokens!: number;
  @IsWhole() outputTokens!: number;

  @Describe('The same, each in one bucket')
  @IsA(Tokens)
  tokens!: Tokens;

  @Describe('The mean over the calls that have an outcome; null while none has')
  @OrNull()
  @IsNumber()
  meanDurationMs!: number | null;

  @Describe('Percentiles of the same calls, in two significant digits; null while there is none')
  @OrNull()
  @IsA(Latency)
  latencyMs!: Latency | null;

  @Describe('By currency; empty if no call has a price')
  @IsListOf(Amount)
  costs!: readonly Amount[];

  @Describe('Calls that have an outcome and no price')
  @IsWhole()
  unpricedCalls!: number;
}
