import { IsBoolean, IsString } from 'class-validator';
import type { Problem } from '#lib/kernel';
import { Describe, IsA, IsListOf, IsName, IsWhole, JsonSchemaOf, Optional, ProblemAt } from '#lib/operations';
import type { Agent } from './agent-definition.js';
import { agentSchema } from './agent-schema.js';

@JsonSchemaOf(agentSchema)
export class AgentDefinition {}

export class AgentView {
  @IsName() agentName!: string;
  @IsWhole(1) version!: number;

  @Describe('SHA-256 of the definition')
  @IsString()
  hash!: string;

  @Describe('With the ids and defaults that were left out')
  @IsA(AgentDefinition)
  definition!: Agent;
}

export class DefinedAgent extends AgentView {
  @Describe('Warnings: legal in the definition, and probably not what its author meant')
  @IsListOf(ProblemAt)
  warnings!: readonly Problem[];
}

export class AgentReport {
  @IsBoolean() valid!: boolean;
  @IsListOf(ProblemAt) errors!: readonly Problem[];

  @Describe('How many there are, if not all are listed')
  @Optional()
  @IsWhole()
  errorCount?: number;

  @IsListOf(ProblemAt) warnings!: readonly Problem[];
}
