import { z } from 'zod';
import { machineName, specialistId } from '../inputs.js';
import { tool } from '../tool.js';

const name = {
  specialistId,
  machineName: machineName.optional().describe('Needed where several machines have a specialist of this id'),
};

const registration = {
  specialistId,
  machineName,
  strategyFnName: z.string().optional().describe('A strategy that is built in or registered by name'),
  strategyWebhookUrl: z.url().optional(),
  webhookTokenName: z.string().optional().describe("Environment variable that holds the webhook's token"),
  disabled: z.boolean().optional().describe('A new version is not asked until it is enabled'),
  keepAlignment: z
    .boolean()
    .optional()
    .describe('A new version starts with the alignment of the current one'),
};

export const specialistTools = [
  tool({
    name: 'register_proposer',
    description:
      'Register who proposes transitions: a model, a strategy, a webhook or a person. A changed body is the next version.',
    input: {
      ...registration,
      isHuman: z.boolean().optional(),
      contextFnName: z.string().optional(),
      contextTemplate: z.string().optional().describe('Mustache over the context, for a model'),
      contextWebhookUrl: z.url().optional(),
      modelId: z.string().optional(),
    },
    run: (redial, input, options) => redial.registerProposer(input, options),
  }),
  tool({
    name: 'register_arbiter',
    description: 'Register who says whether the proposals of a round agree enough; deterministic.',
    input: { ...registration, threshold: z.number().min(0).optional() },
    run: (redial, input, options) => redial.registerArbiter(input, options),
  }),
  tool({
    name: 'get_specialist',
    description: 'A specialist, with its alignment: how often it chose what people chose.',
    input: { ...name, version: z.int().min(1).optional().describe('Default: the current version') },
    run: (redial, { specialistId: id, ...of }) => redial.getSpecialist(id, of),
  }),
  tool({
    name: 'enable_specialist',
    description: 'Let a specialist take part again.',
    input: name,
    run: (redial, { specialistId: id, ...of }, options) => redial.enableSpecialist(id, { ...of, ...options }),
  }),
  tool({
    name: 'disable_specialist',
    description: 'Leave a specialist out from now on.',
    input: name,
    run: (redial, { specialistId: id, ...of }, options) =>
      redial.disableSpecialist(id, { ...of, ...options }),
  }),
];
