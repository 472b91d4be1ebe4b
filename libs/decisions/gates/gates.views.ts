import type { GateDefinition as Definition } from './definition/gate-definition.js';
import type { Problem } from '#lib/kernel';
import { Amount, Proposal } from '#lib/decisions/metrics';
import { JsonSchemaOf, ProblemAt, is, view } from '#lib/operations';
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

/** A gate in its current version, for the doors. */
export class Gate extends view({
  gateId: is.name,
  version: is.whole(1),
  machineVersion: is.whole(1).about("The version of the machine that has the gate's name"),
  definition: is.a<Definition>(GateDefinition),
}) {}

/** A version of a gate, with the tokens of its people. */
export class CreatedGate extends view(Gate, {
  actorTokens: is
    .any<{ readonly [specialistId: string]: string }>()
    .optional.about('By id of the declared humans: their tokens, returned once and stored only as hashes'),
  warnings: is
    .listOf<Problem>(ProblemAt)
    .optional.about('Warnings: the definition is legal, but probably not as its author meant'),
}) {}

class GateSpecialist extends view({
  specialistId: is.name,
  specialistVersion: is.whole(1),
  enabled: is.flag,
  alignmentScore: is.number.about('From 0 to 1'),
  totalComparisons: is.whole(),
}) {}

export class GateStatus extends view({
  gateId: is.name,
  collapsed: is.flag.about('The newest 10 decisions were all made by models alone'),
  collapseProgress: is.number.about(
    'Share of 10 that models alone made of the newest 10 decisions, from 0 to 1',
  ),
  championSpecialistId: is.name.optional.about(
    'The enabled proposer with the highest alignment, if that is at least 0.8',
  ),
  invocationCount: is.whole(),
  exemplarCount: is.whole(),
  humanOverrideRate: is.number.about(
    'Share of the decisions that a person forced, from 0 to 1; 0 before there was any',
  ),
  meanCosts: is
    .listOf(Amount)
    .about('The price of its calls to models for one invocation, by currency; empty if no call has a price'),
  specialists: is.listOf(GateSpecialist).about('The proposers that are not people, in the current version'),
}) {}

export class FailureView extends view({
  kind: is.word<SolicitationFailure['kind']>(),
  message: is.text,
  upstreamStatus: is.whole().optional,
}) {}

class GateFailure extends view({
  specialistId: is.name,
  failure: is.a(FailureView),
}) {}

/** The outcome of an invocation. */
export class GateResult extends view({
  gateId: is.name,
  sessionId: is.id,
  roundId: is.text,
  decision: is.text.optional.about('The choice; absent before the decision'),
  metaJson: is.object().optional.about('The metadata of the decision'),
  needsHuman: is.flag.about(
    'The invocation waits for a person: no proposer or arbiter is left that could decide',
  ),
  isHuman: is.flag.about('Whether a person decided'),
  reasoning: is.text.about(
    'The reason of the decision; while the invocation waits for a person, the reason of the wait',
  ),
  proposals: is.listOf(Proposal),
  failures: is.listOf(GateFailure).about('The asked proposers without a proposal'),
  costUSD: is.number.optional,
  latencyMsec: is.number,
  numInputTokens: is.number.optional,
  numOutputTokens: is.number.optional,
}) {}
