import { flag, list, number, object, text, time, whole, choice } from './schema.js';

const specialist = {
  role: choice('proposer', 'arbiter'),
  specialistId: text,
  machineName: text,
  version: whole,
  isHuman: flag,
  'strategyFnName?': text,
  'strategyWebhookUrl?': text,
  'contextFnName?': text,
  'contextTemplate?': text,
  'contextWebhookUrl?': text,
  'modelId?': text,
  'askReasoning?': flag,
  'webhookTokenName?': text,
  'threshold?': number,
  enabled: flag,
};

const alignment = object({
  machineName: text,
  specialistVersion: whole,
  'state?': text,
  matchingChoices: whole,
  totalComparisons: whole,
  alignmentScore: number,
});

export const machineSchemas = {
  Specialist: object(specialist),
  SpecialistWithAlignment: object({ ...specialist, alignment: list(alignment) }),
  SpecialistVersion: object({ ...specialist, current: flag, registeredAt: time }),
  RegisteredSpecialist: object({ ...specialist, 'actorToken?': text }),
};
