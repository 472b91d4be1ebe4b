import type { Problem } from '#lib/kernel';
import { type Budget, budgetSchema, type ModelParameters, modelParametersSchema } from '#lib/call-rules';
import { ProblemAt, is, view } from '#lib/operations';

export const SPECIALIST_ROLES = ['proposer', 'arbiter'] as const;

/** Below it a proposer's proposals have no weight. */
export class TrustOfArbiter extends view({
  minComparisons: is.whole(0).optional.about('The least number of comparisons with people', { default: 0 }),
  minAlignment: is.share.optional.about('The least alignment score', { default: 0 }),
}) {}

/** A registered workflow that proposes. */
export class ProposingWorkflow extends view({
  name: is.text.about('The registered execution mode', { example: 'planner' }),
  input: is
    .object()
    .optional.about(
      'Its input without `exits`, which are the transitions of the state. Texts in it are Mustache templates over the context',
      {
        example: {
          systemPrompt: 'You are a clerk.',
          userPrompt: '{{metaJson.text}}',
          model: 'gpt-4o-mini',
          tools: [],
        },
      },
    ),
}) {}

/** A specialist, with its execution mode in the members of the registration. */
export class Specialist extends view({
  role: is.oneOf(SPECIALIST_ROLES),
  specialistId: is.name,
  machineName: is.name,
  version: is.whole(1),
  isHuman: is.flag,
  personId: is.name.optional.about(
    "For a human: the person who acts as them. Absent: the person with the specialist's id",
  ),
  strategyFnName: is.text.optional,
  strategyWebhookUrl: is.text.optional,
  contextFnName: is.text.optional,
  contextTemplate: is.text.optional,
  contextWebhookUrl: is.text.optional,
  modelId: is.text.optional,
  askReasoning: is.flag.optional,
  workflow: is.a(ProposingWorkflow).optional,
  modelParameters: is.fitting<ModelParameters>(modelParametersSchema).optional,
  backupModels: is.texts.optional,
  systemPrompt: is.text.optional,
  budget: is.fitting<Budget>(budgetSchema).optional,
  webhookTokenName: is.text.optional,
  threshold: is.number.optional,
  trust: is.a(TrustOfArbiter).optional,
  enabled: is.flag,
}) {}

export class RegisteredSpecialist extends view(Specialist, {
  actorToken: is.text.optional.about(
    'The token of the person registered with a human specialist, returned once and stored only as a hash',
  ),
  warnings: is
    .listOf<Problem>(ProblemAt)
    .optional.about(
      'Warnings: the registration is legal, but probably not as meant, such as a misspelt name in a template',
    ),
}) {}

export class SpecialistVersion extends view(Specialist, {
  current: is.flag.about('It is the current version'),
  registeredAt: is.time,
}) {}

class AlignmentOfSpecialist extends view({
  machineName: is.name,
  specialistVersion: is.whole(1),
  state: is.text.optional.about('Present if the machine declares specialists for that state'),
  matchingChoices: is.number,
  totalComparisons: is.number,
  alignmentScore: is.number.about('From 0 to 1'),
}) {}

export class SpecialistWithAlignment extends view(Specialist, {
  alignment: is
    .listOf(AlignmentOfSpecialist)
    .about('The choices of this version equal to decisions of people'),
}) {}
