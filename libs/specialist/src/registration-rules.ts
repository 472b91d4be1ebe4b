import type { Rejection } from '#lib/kernel';
import type { ArbiterMode, ProposerExecution } from './execution-mode.js';
import type { RegistrationWithFunctions, SpecialistRegistration } from './registration.js';
import { ARBITER_RULES } from './rules/arbiter-rules.js';
import { PROPOSER_RULES } from './rules/proposer-rules.js';
import { firstBroken } from './rules/rule.js';

/** The first rule that a registration breaks: of its names, of the members that go together, of webhooks. */
export function registrationRefusal(registration: RegistrationWithFunctions): Rejection | undefined {
  return firstBroken(registration.role === 'arbiter' ? ARBITER_RULES : PROPOSER_RULES, registration);
}

/** The execution mode a proposer is registered with; `undefined` for a human without one; or the first rule it breaks. */
export function proposerExecution(
  registration: SpecialistRegistration,
): ProposerExecution | undefined | Rejection {
  const broken = registrationRefusal(registration);
  if (broken) return broken;
  const { strategyFnName, strategyWebhookUrl, webhookTokenName = '' } = registration;
  if (strategyFnName !== undefined) return { strategyFnName };
  if (strategyWebhookUrl !== undefined) return { strategyWebhookUrl, webhookTokenName };
  return modelExecution(registration);
}

/** The mode an arbiter is registered with, or the first rule it breaks. */
export function arbiterMode(registration: SpecialistRegistration): ArbiterMode | Rejection {
  const { strategyFnName = '', strategyWebhookUrl, webhookTokenName = '' } = registration;
  const broken = registrationRefusal(registration);
  if (broken) return broken;
  return strategyWebhookUrl === undefined ? { strategyFnName } : { strategyWebhookUrl, webhookTokenName };
}

function modelExecution({
  contextTemplate,
  contextFnName,
  contextWebhookUrl,
  modelId,
  webhookTokenName = '',
}: SpecialistRegistration): ProposerExecution | undefined {
  if (modelId === undefined) return undefined;
  if (contextTemplate !== undefined) return { contextTemplate, modelId };
  if (contextFnName !== undefined) return { contextFnName, modelId };
  return contextWebhookUrl === undefined ? undefined : { contextWebhookUrl, modelId, webhookTokenName };
}
