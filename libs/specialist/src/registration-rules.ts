import type { Rejection } from '#lib/kernel';
import type { ArbiterMode, ModelQuestion, ProposerExecution } from './execution-mode.js';
import type { RegistrationWithFunctions, SpecialistRegistration } from './registration.js';
import { ARBITER_RULES } from './rules/arbiter-rules.js';
import { PROPOSER_RULES } from './rules/proposer-rules.js';
import { firstBroken } from './rules/rule.js';
import type { SpecialistBody } from './specialist.decider.js';

/** The first rule that a registration breaks: of its names, of the members that go together, of webhooks. */
export function registrationRefusal(registration: RegistrationWithFunctions): Rejection | undefined {
  return firstBroken(registration.role === 'arbiter' ? ARBITER_RULES : PROPOSER_RULES, registration);
}

/** The specialist that a registration describes, or the first rule it breaks. */
export function specialistBody(registration: SpecialistRegistration): SpecialistBody | Rejection {
  const broken = registrationRefusal(registration);
  if (broken) return broken;
  const { role, isHuman = false, personId, threshold, trust } = registration;
  if (role === 'arbiter') {
    const limits = { ...(threshold !== undefined && { threshold }), ...(trust && { trust }) };
    return { role, isHuman: false, execution: arbiterMode(registration), ...limits };
  }
  const execution = proposerExecution(registration);
  return {
    role,
    isHuman,
    ...(personId !== undefined && { personId }),
    ...(execution !== undefined && { execution }),
  };
}

/** `undefined` for a human without a mode. */
function proposerExecution(registration: SpecialistRegistration): ProposerExecution | undefined {
  const { strategyFnName, strategyWebhookUrl, webhookTokenName = '', workflow } = registration;
  if (strategyFnName !== undefined) return { strategyFnName };
  if (strategyWebhookUrl !== undefined) return { strategyWebhookUrl, webhookTokenName };
  if (workflow) return { workflow: { name: workflow.name, input: workflow.input ?? {} } };
  return modelExecution(registration);
}

function arbiterMode(registration: SpecialistRegistration): ArbiterMode {
  const { strategyFnName = '', strategyWebhookUrl, webhookTokenName = '' } = registration;
  return strategyWebhookUrl === undefined ? { strategyFnName } : { strategyWebhookUrl, webhookTokenName };
}

function modelExecution({
  contextTemplate,
  contextFnName,
  contextWebhookUrl,
  modelId,
  webhookTokenName = '',
  ...registration
}: SpecialistRegistration): ProposerExecution | undefined {
  if (modelId === undefined) return undefined;
  const model = { modelId, ...modelSettings(registration) };
  if (contextTemplate !== undefined) return { contextTemplate, ...model };
  if (contextFnName !== undefined) return { contextFnName, ...model };
  return contextWebhookUrl === undefined ? undefined : { contextWebhookUrl, ...model, webhookTokenName };
}

function modelSettings({
  askReasoning,
  modelParameters,
  backupModels,
  systemPrompt,
  budget,
}: Partial<SpecialistRegistration>): Omit<ModelQuestion, 'modelId'> {
  return {
    ...(askReasoning && { askReasoning: true as const }),
    ...(modelParameters && { modelParameters }),
    ...(backupModels && backupModels.length > 0 && { backupModels }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(budget && { budget }),
  };
}
