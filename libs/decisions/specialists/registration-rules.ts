import { present, type Rejection } from '#lib/kernel';
import type { ArbiterMode, ModelQuestion, ProposerExecution } from './execution-mode.js';
import type { RegistrationWithFunctions, SpecialistRegistration } from './registration.js';
import { NAME_RULES } from './rules/name-rules.js';
import { ONE_STRATEGY, PROPOSER_RULES } from './rules/proposer-rules.js';
import { firstBroken, type Rule } from './rules/rule.js';
import type { SpecialistBody } from './specialist-body.js';
import type { TrustPolicy } from '#lib/decisions/machines';
import { TOKEN_NAMED, WEBHOOK_RULES } from './rules/webhook-rules.js';

/** The first rule that a registration breaks: of its names, of its combination of members, of webhooks. */
export function registrationRefusal(registration: RegistrationWithFunctions): Rejection | undefined {
  const modeRules = registration.role === 'arbiter' ? ARBITER_RULES : PROPOSER_RULES;
  return (
    firstBroken(NAME_RULES, registration, 'invalid-specialist') ??
    firstBroken(modeRules, registration, 'execution-mode')
  );
}

/** The specialist of a registration, or the first rule that this breaks. */
export function specialistBody(registration: SpecialistRegistration): SpecialistBody | Rejection {
  const broken = registrationRefusal(registration);
  if (broken) return broken;
  const { role, isHuman = false, personId, threshold, trust } = registration;
  if (role === 'arbiter') {
    const limits = present({ threshold, trust });
    return { role, isHuman: false, execution: arbiterMode(registration), ...limits };
  }
  const execution = proposerExecution(registration);
  return {
    role,
    isHuman,
    ...present({ personId, execution }),
  };
}

/** `undefined` for a human without an execution mode. */
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
    ...present({ systemPrompt, budget }),
  };
}

const ONE_MODE = 'Give exactly one of: strategyFnName; strategyWebhookUrl with webhookTokenName';

const modes = (r: RegistrationWithFunctions) =>
  [r.strategyFn, r.strategyFnName, r.strategyWebhookUrl].filter((mode) => mode !== undefined).length;

const hasModel = (r: RegistrationWithFunctions) =>
  [r.modelId, r.contextFn, r.contextFnName, r.contextTemplate, r.contextWebhookUrl].some(
    (member) => member !== undefined,
  );

function isTrustPolicy({ minComparisons = 0, minAlignment = 0, ...others }: object & TrustPolicy): boolean {
  const isCount = Number.isInteger(minComparisons) && minComparisons >= 0;
  return isCount && minAlignment >= 0 && minAlignment <= 1 && Object.keys(others).length === 0;
}

/** In the order of the checks: the first broken one is reported. */
const ARBITER_RULES: readonly Rule[] = [
  [(r) => r.isHuman === true, 'a human is a proposer', 'Register a human with role "proposer"'],
  [
    (r) => r.threshold !== undefined && !(r.threshold >= 0 && r.threshold <= 1),
    'its threshold is not between 0 and 1',
    'Give a share from 0 to 1',
  ],
  [
    (r) => r.trust !== undefined && !isTrustPolicy(r.trust),
    'its trust is not a policy',
    'Give minComparisons, a whole number from 0, and minAlignment, a share from 0 to 1, or one of them',
  ],
  [hasModel, 'arbitration is deterministic: an arbiter has no model and no context', ONE_MODE],
  [(r) => r.workflow !== undefined, 'a workflow proposes, and does not arbitrate', ONE_MODE],
  ONE_STRATEGY,
  TOKEN_NAMED,
  [(r) => modes(r) === 0, 'it has no execution mode', ONE_MODE],
  [(r) => modes(r) > 1, 'it has more than one execution mode', ONE_MODE],
  ...WEBHOOK_RULES,
];
