import { Allow, IsBoolean, IsNumber, IsObject, IsString } from 'class-validator';
import type { GateDefinition as Definition } from './definition/gate-definition.js';
import type { JsonObject, Problem } from '#lib/kernel';
import { Amount, Proposal } from '#lib/decisions/metrics';
import {
  Describe,
  IsA,
  IsId,
  IsListOf,
  IsName,
  IsWhole,
  JsonSchemaOf,
  Optional,
  ProblemAt,
} from '#lib/operations';
import type { SolicitationFailure } from '#lib/decisions/session';
import { MachineDefinition } from '#lib/decisions/registration';

const text = { type: 'string' };
const partOfMachine = (name: string) => ({ $ref: `#/components/schemas/MachineDefinition.${name}` });

@JsonSchemaOf(
  {
    type: 'object',
    description: 'One question, asked again and again.',
    required: ['gateId', 'choices'],
    additionalProperties: false,
    properties: {
      gateId: text,
      prompt: { ...text, description: 'The question.' },
      choices: { type: 'object', minProperties: 1, additionalProperties: { $ref: '#/$defs/choice' } },
      specialists: { type: 'array', items: partOfMachine('specialist') },
      consensusThreshold: { type: 'number', minimum: 0, maximum: 1 },
      quorum: { type: 'integer', minimum: 1 },
      trust: partOfMachine('trust'),
      collapse: partOfMachine('collapse'),
    },
    $defs: {
      choice: {
        type: ['object', 'string'],
        description: 'A text is the description.',
        properties: {
          description: text,
          parameters: { type: 'object', description: 'A JSON Schema of the arguments.' },
          onInvalidArguments: { enum: ['accept', 'reject', 'reask'] },
        },
      },
    },
  },
  MachineDefinition,
)
export class GateDefinition {}

/** A gate in its latest version, as the doors show it. */
export class Gate {
  @IsName() gateId!: string;
  @IsWhole(1) version!: number;

  @Describe("The version of the machine that has the gate's name")
  @IsWhole(1)
  machineVersion!: number;

  @IsA(GateDefinition) definition!: Definition;
}

/** A version of a gate, with the tokens of the people that it declares. */
export class CreatedGate extends Gate {
  @Describe('For the humans that it declares, by id: their tokens, given now and stored only as hashes')
  @Optional()
  @Allow()
  actorTokens?: { readonly [specialistId: string]: string };

  @Describe('Warnings: legal in the definition, and probably not what its author meant')
  @Optional()
  @IsListOf(ProblemAt)
  warnings?: readonly Problem[];
}

class GateSpecialist {
  @IsName() specialistId!: string;
  @IsWhole(1) specialistVersion!: number;
  @IsBoolean() enabled!: boolean;

  @Describe('From 0 to 1')
  @IsNumber()
  alignmentScore!: number;

  @IsWhole() totalComparisons!: number;
}

export class GateStatus {
  @IsName() gateId!: string;

  @Describe('The newest 10 decisions were all made by models alone')
  @IsBoolean()
  collapsed!: boolean;

  @Describe('Share of 10 that models alone made of the newest 10 decisions, from 0 to 1')
  @IsNumber()
  collapseProgress!: number;

  @Describe('The enabled proposer with the highest alignment, if that is at least 0.8')
  @Optional()
  @IsName()
  championSpecialistId?: string;

  @IsWhole() invocationCount!: number;
  @IsWhole() exemplarCount!: number;

  @Describe('Share of the decisions that a person forced, from 0 to 1; 0 before there was any')
  @IsNumber()
  humanOverrideRate!: number;

  @Describe('The price of its calls to models for one invocation, by currency; empty if no call has a price')
  @IsListOf(Amount)
  meanCosts!: readonly Amount[];

  @Describe('The proposers that are not people, in the current version')
  @IsListOf(GateSpecialist)
  specialists!: readonly GateSpecialist[];
}

export class FailureView {
  @IsString() kind!: SolicitationFailure['kind'];
  @IsString() message!: string;
  @Optional() @IsWhole() upstreamStatus?: number;
}

class GateFailure {
  @IsName() specialistId!: string;
  @IsA(FailureView) failure!: FailureView;
}

/** The outcome of an invocation. */
export class GateResult {
  @IsName() gateId!: string;
  @IsId() sessionId!: string;
  @IsString() roundId!: string;

  @Describe('The choice; absent while there is none')
  @Optional()
  @IsString()
  decision?: string;

  @Describe('The metadata of the decision')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @Describe('The invocation waits for a person: no proposer or arbiter is left that could decide')
  @IsBoolean()
  needsHuman!: boolean;

  @Describe('Whether a person decided')
  @IsBoolean()
  isHuman!: boolean;

  @Describe('The reason of the decision; while the invocation waits for a person, why it does')
  @IsString()
  reasoning!: string;

  @IsListOf(Proposal) proposals!: readonly Proposal[];

  @Describe('The proposers that were asked and gave none')
  @IsListOf(GateFailure)
  failures!: readonly GateFailure[];

  @Optional() @IsNumber() costUSD?: number;
  @IsNumber() latencyMsec!: number;
  @Optional() @IsNumber() numInputTokens?: number;
  @Optional() @IsNumber() numOutputTokens?: number;
}
