import { z } from 'zod';
import { machineName, specialistId } from '../inputs.js';
import { tool } from '../tool.js';

const registration = {
  specialistId,
  machineName,
  strategyFnName: z.string().optional().describe('A strategy that is built in or registered by name'),
  strategyWebhookUrl: z.url().optional(),
  webhookTokenName: z.string().optional().describe("Environment variable that holds the webhook's token"),
};

export const specialistTools = [
  tool({
    name: 'register_proposer',
    description: 'Register who proposes transitions: a model, a strategy, a webhook or a person.',
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
    input: { specialistId },
    run: (redial, input) => redial.getSpecialist(input.specialistId),
  }),
  tool({
    name: 'enable_specialist',
    description: 'Let a specialist take part again.',
    input: { specialistId },
    run: (redial, input, options) => redial.enableSpecialist(input.specialistId, options),
  }),
  tool({
    name: 'disable_specialist',
    description: 'Leave a specialist out from now on.',
    input: { specialistId },
    run: (redial, input, options) => redial.disableSpecialist(input.specialistId, options),
  }),
];
