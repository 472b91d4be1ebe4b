import { IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, IsListOf, IsName, IsTime, IsWhole, Optional } from '#lib/operations';

/** The choice of a model in a round that a person decided. */
export class PastProposal {
  @IsName() specialistId!: string;

  @Describe('Default: the current one')
  @Optional()
  @IsWhole(1)
  specialistVersion?: number;

  @IsString() transitionName!: string;
}

/** A decision that a person took before there was a log. */
export class PastDecision {
  @Describe('In which it was decided', { example: 'triage' })
  @IsString()
  state!: string;

  @IsString() transitionName!: string;

  @Describe('The person', { example: 'ann' })
  @IsName()
  specialistId!: string;

  @Optional() @IsString() reasoning?: string;

  @Describe('The metadata of the decision')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @Describe('The subject of the decision')
  @Optional()
  @IsObject()
  sessionMetaJson?: JsonObject;

  @Describe('Default: now')
  @Optional()
  @IsTime()
  decidedAt?: string;

  @Describe("The choices of the machine's proposers: each is compared with the decision")
  @Optional()
  @IsListOf(PastProposal)
  proposals?: readonly PastProposal[];
}
