import { IsArray, IsBoolean, IsIn, IsNumber, IsObject, IsString, Max, Min } from 'class-validator';
import type { JsonObject, Problem } from '#lib/kernel';
import { type Budget, budgetSchema, type ModelParameters, modelParametersSchema } from '#lib/call-rules';
import { Describe, Fits, IsA, IsListOf, IsName, IsTime, IsWhole, Optional, ProblemAt } from '#lib/operations';

export const SPECIALIST_ROLES = ['proposer', 'arbiter'] as const;

/** Below it the proposals of a proposer have no weight. */
export class TrustOfArbiter {
  @Describe('Comparisons with people, at least', { default: 0 })
  @Optional()
  @IsWhole(0)
  minComparisons?: number;

  @Describe('Alignment score, at least', { default: 0 })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  minAlignment?: number;
}

/** A registered workflow that proposes. */
export class ProposingWorkflow {
  @Describe('As it is registered', { example: 'planner' })
  @IsString()
  name!: string;

  @Describe(
    'Its input without `exits`, which are the ways out of the state. Texts in it are Mustache templates over the context',
    {
      example: {
        systemPrompt: 'You are a clerk.',
        userPrompt: '{{metaJson.text}}',
        model: 'gpt-4o-mini',
        tools: [],
      },
    },
  )
  @Optional()
  @IsObject()
  input?: JsonObject;
}

/** Its execution mode in the members that the registration used. */
export class Specialist {
  @IsIn(SPECIALIST_ROLES) role!: 'proposer' | 'arbiter';
  @IsName() specialistId!: string;
  @IsName() machineName!: string;
  @IsWhole(1) version!: number;
  @IsBoolean() isHuman!: boolean;

  @Describe("For a human: the person who acts as them. Absent: the one who has the specialist's id")
  @Optional()
  @IsName()
  personId?: string;

  @Optional() @IsString() strategyFnName?: string;
  @Optional() @IsString() strategyWebhookUrl?: string;
  @Optional() @IsString() contextFnName?: string;
  @Optional() @IsString() contextTemplate?: string;
  @Optional() @IsString() contextWebhookUrl?: string;
  @Optional() @IsString() modelId?: string;
  @Optional() @IsBoolean() askReasoning?: boolean;
  @Optional() @IsA(ProposingWorkflow) workflow?: ProposingWorkflow;
  @Optional() @Fits(modelParametersSchema) modelParameters?: ModelParameters;
  @Optional() @IsArray() @IsString({ each: true }) backupModels?: readonly string[];
  @Optional() @IsString() systemPrompt?: string;
  @Optional() @Fits(budgetSchema) budget?: Budget;
  @Optional() @IsString() webhookTokenName?: string;
  @Optional() @IsNumber() threshold?: number;
  @Optional() @IsA(TrustOfArbiter) trust?: TrustOfArbiter;
  @IsBoolean() enabled!: boolean;
}

export class RegisteredSpecialist extends Specialist {
  @Describe(
    'Of the person who was registered with a human specialist: their token, given now and stored only as a hash',
  )
  @Optional()
  @IsString()
  actorToken?: string;

  @Describe('What is legal and probably not meant, such as a misspelt name in a template')
  @Optional()
  @IsListOf(ProblemAt)
  warnings?: readonly Problem[];
}

export class SpecialistVersion extends Specialist {
  @Describe('Whether it is the one that was registered last')
  @IsBoolean()
  current!: boolean;

  @IsTime() registeredAt!: string;
}

class AlignmentOfSpecialist {
  @IsName() machineName!: string;
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

export class SpecialistWithAlignment extends Specialist {
  @Describe('How often this version chose what people chose')
  @IsListOf(AlignmentOfSpecialist)
  alignment!: readonly AlignmentOfSpecialist[];
}
