import { IsArray, IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, IsA, IsJson, IsListOf, IsTime, IsWhole, Optional } from '#lib/operations';
import { RELATIONS, type Relation } from './causes.rules.js';

/** An event on the way to another one. */
export class WhyNode {
  @Describe('`<stream>@<revision>`')
  @IsString()
  id!: string;

  @IsString() stream!: string;
  @IsWhole() revision!: number;
  @IsString() type!: string;
  @IsTime() occurredAt!: string;

  @Describe('The event as one line of plain language')
  @IsString()
  summary!: string;
}

/** From an event to a cause of it. */
export class WhyEdge {
  @Describe('The id of an event')
  @IsString()
  from!: string;

  @Describe('The id of a cause of it')
  @IsString()
  to!: string;

  @Describe('What the cause is to the event')
  @IsIn(RELATIONS)
  relation!: Relation;
}

/** An event with its causes and theirs. */
export class Why {
  @Describe('The event itself, then all that led to it in the order of the log')
  @IsListOf(WhyNode)
  nodes!: readonly WhyNode[];

  @IsListOf(WhyEdge) edges!: readonly WhyEdge[];

  @Describe('References to causes that are farther away than the answer takes. Absent: all are there')
  @Optional()
  @IsWhole()
  leftOff?: number;
}

/** A decided round, without ids and times. */
export class DecidedStep {
  @IsString() fromState!: string;
  @IsString() transitionName!: string;
  @IsString() toState!: string;
  @IsString() reasoning!: string;
  @Optional() @IsJson() metaJson?: JsonObject;
  @IsBoolean() isHuman!: boolean;
  @IsString() decidedBy!: string;

  @Describe('The proposals of the round, in the order they arrived')
  @IsArray()
  proposals!: readonly JsonObject[];
}

/** A difference of two steps. */
export class StepChange {
  @Describe('JSON pointer into the step; empty if one of the sessions has none')
  @IsString()
  pointer!: string;

  @Optional() @IsJson() a?: unknown;
  @Optional() @IsJson() b?: unknown;
}

/** A decided round of each session. */
export class ComparedStep {
  @Optional() @IsA(DecidedStep) a?: DecidedStep;
  @Optional() @IsA(DecidedStep) b?: DecidedStep;
  @IsListOf(StepChange) changes!: readonly StepChange[];
}

class AmountsView {
  @IsNumber() a!: number;
  @IsNumber() b!: number;
}

export class Diff {
  @Describe('Whether all decided rounds are the same')
  @IsBoolean()
  same!: boolean;

  @Describe('The decided rounds of both, side by side')
  @IsListOf(ComparedStep)
  steps!: readonly ComparedStep[];

  @IsA(AmountsView) costUSD!: AmountsView;
  @IsA(AmountsView) latencyMsec!: AmountsView;
}
