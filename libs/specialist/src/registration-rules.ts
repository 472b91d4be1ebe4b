import { reject, type Rejection } from '#lib/kernel';
import type { ArbiterMode, ProposerExecution } from './execution-mode.js';
import type { SpecialistRegistration } from './registration.js';

type Rule = readonly [broken: (r: SpecialistRegistration) => boolean, why: string, fix: string];

const ONE_MODE =
  'Give exactly one of: strategyFnName; contextTemplate with modelId; contextFnName with modelId';

const hasContext = (r: SpecialistRegistration) =>
  r.contextFnName !== undefined || r.contextTemplate !== undefined;
const hasWebhook = (r: SpecialistRegistration) =>
  r.strategyWebhookUrl !== undefined || r.contextWebhookUrl !== undefined;
const modes = (r: SpecialistRegistration) =>
  [r.strategyFnName, r.strategyWebhookUrl, r.contextFnName, r.contextTemplate, r.contextWebhookUrl].filter(
    (mode) => mode !== undefined,
  ).length;

/** Ids that callers choose. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;
const WELL_NAMED: readonly Rule[] = [
  [
    (r) => !ID.test(r.specialistId),
    'its id is not of the form of ids',
    `Choose one that matches ${ID.source}`,
  ],
  [
    (r) => !ID.test(r.machineName),
    'its machine name is not of the form of ids',
    `Name a machine that matches ${ID.source}`,
  ],
];

/** In the order in which they are checked; the first one that is broken is told. */
const PROPOSER_RULES: readonly Rule[] = [
  ...WELL_NAMED,
  [
    (r) => r.strategyFnName !== undefined && r.modelId !== undefined,
    'it has both strategyFnName and modelId',
    'Leave out modelId for a strategy, or strategyFnName for a model',
  ],
  [
    (r) => hasContext(r) && r.modelId === undefined,
    'it has a context but no modelId',
    'Name the model that is told the context',
  ],
  [
    (r) => r.contextWebhookUrl !== undefined && r.modelId === undefined,
    'it has contextWebhookUrl but no modelId',
    'Name the model that is told the context',
  ],
  [
    (r) => hasWebhook(r) && r.webhookTokenName === undefined,
    'it has a webhook but no webhookTokenName',
    'Name the setting that holds the token',
  ],
  [(r) => modes(r) === 0 && r.isHuman !== true, 'it has no execution mode', ONE_MODE],
  [(r) => modes(r) > 1, 'it has more than one execution mode', ONE_MODE],
  [(r) => modes(r) === 0 && r.modelId !== undefined, 'it has a modelId but no context', ONE_MODE],
  [(r) => hasWebhook(r), 'webhooks are not performed by this version', ONE_MODE],
  [(r) => r.threshold !== undefined, 'a threshold belongs to an arbiter', 'Leave out threshold'],
];

const ARBITER_STRATEGIES = ['firstProposal', 'alignmentMargin', 'aheadByK'];

const ARBITER_RULES: readonly Rule[] = [
  ...WELL_NAMED,
  [(r) => r.isHuman === true, 'a human is a proposer', 'Register a human with role "proposer"'],
  [
    (r) => r.modelId !== undefined || hasContext(r) || r.contextWebhookUrl !== undefined,
    'arbitration is deterministic: an arbiter has no model',
    'Give strategyFnName alone',
  ],
  [(r) => hasWebhook(r), 'webhooks are not performed by this version', 'Give strategyFnName instead'],
  [
    (r) => !ARBITER_STRATEGIES.includes(r.strategyFnName ?? ''),
    'it names no strategy that arbiters have',
    `Give strategyFnName, one of ${ARBITER_STRATEGIES.join(', ')}`,
  ],
];

/** The execution mode a proposer is registered with; `undefined` for a human without one; or the first rule it breaks. */
export function proposerExecution(
  registration: SpecialistRegistration,
): ProposerExecution | undefined | Rejection {
  const broken = firstBroken(PROPOSER_RULES, registration);
  if (broken) return broken;
  const { strategyFnName, contextFnName, contextTemplate, modelId } = registration;
  if (strategyFnName !== undefined) return { strategyFnName };
  if (modelId === undefined) return undefined;
  if (contextFnName !== undefined) return { contextFnName, modelId };
  return contextTemplate === undefined ? undefined : { contextTemplate, modelId };
}

/** The mode an arbiter is registered with, or the first rule it breaks. */
export function arbiterMode(registration: SpecialistRegistration): ArbiterMode | Rejection {
  const { strategyFnName = '' } = registration;
  return firstBroken(ARBITER_RULES, registration) ?? { strategyFnName };
}

function firstBroken(rules: readonly Rule[], registration: SpecialistRegistration): Rejection | undefined {
  const [, why, fix] = rules.find(([broken]) => broken(registration)) ?? [];
  if (why === undefined || fix === undefined) return undefined;
  const what = `${registration.role} ${registration.specialistId}`;
  return reject('refused', 'execution-mode', { errorClass: 'InvalidSpecialist', what, why, fix });
}
