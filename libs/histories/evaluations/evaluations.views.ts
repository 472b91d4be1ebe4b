import { IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';
import type { Against } from './evaluation.input.js';
import {
  Describe,
  IsA,
  IsId,
  IsListOf,
  IsName,
  IsTime,
  IsWhole,
  Optional,
  OrNull,
  ReplayReportBody,
  withAmounts,
} from '#lib/operations';
import { spendingMembers } from '#lib/decisions/session';
import { RunFailure } from '#lib/runs/runs';
import { FailureView } from '#lib/decisions/gates';

/** An evaluation in a list: the specialist, the rounds, and the result if it has ended. */
export class EvaluationSummary {
  @IsId() evaluationId!: string;
  @IsName() specialistId!: string;
  @IsWhole(1) specialistVersion!: number;
  @IsName() specialistMachine!: string;

  @Describe('The specialist whose rounds are evaluated')
  @IsName()
  machineName!: string;

  @IsIn(['exemplars', 'decisions']) against!: Against;
  @IsIn(['running', 'completed', 'failed']) status!: 'running' | 'completed' | 'failed';
  @IsTime() startedAt!: string;
  @Optional() @IsTime() completedAt?: string;

  @Describe('Present if an operator gave it up')
  @Optional()
  @IsA(RunFailure)
  failure?: RunFailure;

  @Describe('How many it is asked about')
  @IsWhole()
  rounds!: number;

  @Describe('Rounds in which it chose the decided transition. Present once the evaluation has ended')
  @Optional()
  @IsWhole()
  matchingChoices?: number;

  @Describe('The share of those; null without rounds')
  @Optional()
  @OrNull()
  @IsNumber()
  transitionRate?: number | null;

  @Describe('Share in which it chose the state that was decided; null without rounds')
  @Optional()
  @OrNull()
  @IsNumber()
  stateRate?: number | null;

  /** From 0 to 1: what `matchingChoices` of `rounds` are worth by the `wilson` rule; 0 without rounds. */
  @Optional() @IsNumber() alignmentScore?: number;
  /** Failures included: as the specialist says it, else by the prices in force; null if none is known. */
  @Optional() @OrNull() @IsNumber() totalCostUSD?: number | null;
  /** Like `totalCostUSD`: of the samples that have a result. Absent if none is known. */
  @Optional() @IsNumber() costUSD?: number;
  /** Over the rounds that have a latency; null if none has. */
  @Optional() @OrNull() @IsNumber() meanLatencyMsec?: number | null;
  @Optional() @OrNull() @IsNumber() numInputTokens?: number | null;
  @Optional() @OrNull() @IsNumber() numOutputTokens?: number | null;

  @Describe('In how many it gave no choice')
  @Optional()
  @IsWhole()
  failures?: number;
}

class SampleAnswer extends withAmounts(spendingMembers) {
  @Optional() @IsString() transitionName?: string;
  @Optional() @IsString() toState?: string;
  @Optional() @IsA(FailureView) failure?: FailureView;
  @IsBoolean() matches!: boolean;
}

class EvaluationSample {
  @IsId() sampleId!: string;
  @IsId() sessionId!: string;
  @IsString() roundId!: string;
  @IsString() state!: string;
  @IsString() transitionName!: string;
  @IsString() toState!: string;

  @Describe('Present once the specialist was asked')
  @Optional()
  @IsId()
  solicitationId?: string;

  @Describe('Present once the specialist has answered')
  @Optional()
  @IsA(SampleAnswer)
  answer?: SampleAnswer;
}

/** An evaluation with its rounds, as the doors show it. */
export class Evaluation extends EvaluationSummary {
  @Describe('The round that was decided last comes first')
  @IsListOf(EvaluationSample)
  samples!: readonly EvaluationSample[];
}

/** Past proposals of a specialist, compared with the decisions, without a new call. */
export class RecordedEvaluation {
  @IsName() specialistId!: string;
  @IsName() machineName!: string;
  @IsIn(['record']) against!: 'record';
  @IsWhole() rounds!: number;
  @IsWhole() matchingChoices!: number;
  @OrNull() @IsNumber() transitionRate!: number | null;
  @OrNull() @IsNumber() stateRate!: number | null;
  @IsNumber() alignmentScore!: number;
  @OrNull() @IsNumber() totalCostUSD!: number | null;
  @OrNull() @IsNumber() meanLatencyMsec!: number | null;
}

export class EvaluationReplayReport extends ReplayReportBody {
  @IsId() evaluationId!: string;
}
