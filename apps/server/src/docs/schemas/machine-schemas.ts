import { jsonText } from '#lib/kernel';
import { machineSchema } from '#lib/machine';
import { flag, list, number, object, ref, text, time, whole, choice } from './schema.js';

const problem = object({ path: text, message: text });

/** The schema of machine files, its parts moved to where OpenAPI looks for them. */
function machineDefinition(): Readonly<Record<string, object>> {
  const moved = jsonText(machineSchema).replaceAll('#/$defs/', '#/components/schemas/Machine.');
  const {
    $schema: _draft,
    $defs = {},
    ...root
  } = JSON.parse(moved) as Record<string, Record<string, object>>;
  const parts = Object.entries($defs).map(([name, part]) => [`Machine.${name}`, part]);
  return { MachineDefinition: root, ...Object.fromEntries(parts) };
}

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
  ...machineDefinition(),
  Machine: object({
    machineName: text,
    version: whole,
    hash: text,
    definition: ref('MachineDefinition'),
    'warnings?': list(problem),
  }),
  MachineReport: object({
    valid: flag,
    errors: list(problem),
    'errorCount?': whole,
    warnings: list(problem),
    'warningCount?': whole,
  }),
  Specialist: object(specialist),
  SpecialistWithAlignment: object({ ...specialist, alignment: list(alignment) }),
  SpecialistVersion: object({ ...specialist, current: flag, registeredAt: time }),
  RegisteredSpecialist: object({ ...specialist, 'actorToken?': text }),
};
