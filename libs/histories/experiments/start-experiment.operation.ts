import { Command } from '@nestjs/cqrs';
import { modelParametersSchema } from '#lib/call-rules';
import type { VariantOverrides } from '#lib/decisions/session';
import type { JsonObject } from '#lib/kernel';
import { input, is, Operation } from '#lib/operations';
import { Experiment, ExperimentEstimate } from './experiments.views.js';
import { type PointsQuestion, pointsSchema } from './points-question.js';

const text = { type: 'string', minLength: 1, maxLength: 128 };

const variantsSchema: JsonObject = {
  type: 'array',
  minItems: 1,
  maxItems: 8,
  items: {
    type: 'object',
    required: ['name', 'specialistId'],
    additionalProperties: false,
    properties: {
      name: text,
      specialistId: text,
      version: { type: 'integer', minimum: 1 },
      modelId: { type: 'string' },
      modelParameters: modelParametersSchema,
      systemPrompt: { type: 'string' },
      contextTemplate: { type: 'string' },
      prompts: {
        type: 'object',
        minProperties: 1,
        maxProperties: 100,
        additionalProperties: { type: 'string' },
      },
      backupModels: { type: 'array', items: { type: 'string' }, maxItems: 8 },
    },
  },
};

export interface VariantQuestion extends Omit<VariantOverrides, 'budget' | 'askReasoning'> {
  readonly name: string;
  readonly specialistId: string;
  readonly version?: number;
}

@Operation({
  summary:
    'Ask variants of specialists again about decided rounds, and compare with the decisions; no session changes',
  http: 'POST /v1/experiments',
  access: 'operator',
  answers: { 200: ExperimentEstimate, 201: Experiment },
  problems: [404],
})
export class StartExperiment extends input(Command<Experiment | ExperimentEstimate>, {
  name: is.textUpTo(200).optional,
  points: is
    .fitting<PointsQuestion>(pointsSchema)
    .about('The decided rounds: of a machine (`max`: 100), or all of these sessions', {
      example: { machineName: 'refunds', decidedBy: 'people', max: 200 },
    }),
  variants: is
    .fitting<readonly VariantQuestion[]>(variantsSchema)
    .about(
      "Specialists, each with changes to its registration; `prompts`: the prompts of states, by the states' names",
      {
        example: [{ name: 'new', specialistId: 'triage', modelId: 'gpt-4o-mini' }],
      },
    ),
  samples: is.whole(1, 20).optional.about('How often each variant is asked about each point', { default: 1 }),
  baseline: is.text.optional.about('`recorded` (the decisions), or the name of a variant', {
    default: 'recorded',
  }),
  maxCostUSD: is.amount.optional.about('The most US dollars that all calls together may cost'),
  maxCalls: is.whole(1).optional.about('The most calls'),
  concurrency: is.whole(1, 64).optional.about('Asks at the same time', { default: 4 }),
  margin: is.share.optional.about('The share of flips up to which a variant decides the same', {
    default: 0.05,
  }),
  dryRun: is.flag.optional.about('Only estimates its asks and their usage'),
}) {}
