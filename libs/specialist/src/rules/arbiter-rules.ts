import type { TrustPolicy } from '#lib/machine';
import type { RegistrationWithFunctions } from '../registration.js';
import { NAME_RULES } from './name-rules.js';
import type { Rule } from './rule.js';
import { TOKEN_NAMED, WEBHOOK_RULES } from './webhook-rules.js';

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

/** In the order in which they are checked; the first one that is broken is reported. */
export const ARBITER_RULES: readonly Rule[] = [
  ...NAME_RULES,
  [(r) => r.isHuman === true, 'a human is a proposer', 'Register a human with role "proposer"'],
  [
    (r) => r.threshold !== undefined && !(r.threshold >= 0 && r.threshold <= 1),
    'its threshold is not between 0 and 1',
    'Give a share from 0 to 1',
  ],
  [
    (r) => r.trust !== undefined && !isTrustPolicy(r.trust),
    'its trust is no policy',
    'Give minComparisons, a whole number from 0, and minAlignment, a share from 0 to 1, or one of them',
  ],
  [hasModel, 'arbitration is deterministic: an arbiter has no model and no context', ONE_MODE],
  [(r) => r.workflow !== undefined, 'a workflow proposes, and does not arbitrate', ONE_MODE],
  [
    (r) => r.strategyFn !== undefined && r.strategyFnName !== undefined,
    'it has both strategyFn and strategyFnName',
    'Leave out one of them',
  ],
  TOKEN_NAMED,
  [(r) => modes(r) === 0, 'it has no execution mode', ONE_MODE],
  [(r) => modes(r) > 1, 'it has more than one execution mode', ONE_MODE],
  ...WEBHOOK_RULES,
];
