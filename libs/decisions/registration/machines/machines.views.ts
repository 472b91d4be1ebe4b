import { Allow, IsBoolean, IsString } from 'class-validator';
import type { Problem } from '#lib/kernel';
import { type MachineDefinition as Definition, machineSchema } from '#lib/decisions/machines';
import { Describe, IsA, IsListOf, IsName, IsWhole, JsonSchemaOf, Optional, ProblemAt } from '#lib/operations';

@JsonSchemaOf(machineSchema)
export class MachineDefinition {}

export class Machine {
  @IsName() machineName!: string;
  @IsWhole(1) version!: number;

  @Describe('SHA-256 of the definition')
  @IsString()
  hash!: string;

  @Describe('Normalized')
  @IsA(MachineDefinition)
  definition!: Definition;
}

export class DefinedMachine extends Machine {
  @Describe('Warnings: legal in the definition, and probably not what its author meant')
  @IsListOf(ProblemAt)
  warnings!: readonly Problem[];

  @Describe(
    'For the humans that it declares, by id: the token that proves who acts as them, given now and stored only as a hash',
  )
  @Optional()
  @Allow()
  actorTokens?: { readonly [specialistId: string]: string };
}

export class MachineReport {
  @IsBoolean() valid!: boolean;
  @IsListOf(ProblemAt) errors!: readonly Problem[];

  @Describe('How many there are, if not all are listed')
  @Optional()
  @IsWhole()
  errorCount?: number;

  @IsListOf(ProblemAt) warnings!: readonly Problem[];

  @Describe('How many there are, if not all are listed')
  @Optional()
  @IsWhole()
  warningCount?: number;
}
