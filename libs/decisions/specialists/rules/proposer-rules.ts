import { engineMember } from '#lib/call-rules';
import type { RegistrationWithFunctions } from '../registration.js';
import type { Rule } from './rule.js';
import { TOKEN_NAMED, WEBHOOK_RULES } from './webhook-rules.js';

const ONE_MODE =
  'Give exactly one of: strategyFnName; strategyWebhookUrl with webhookTokenName; workflow; contextTemplate with modelId; contextFnName with modelId; contextWebhookUrl with modelId and webhookTokenName';
const NAME_MODEL = 'Name the model that receives the context';

const modes = (r: RegistrationWithFunctions) =>
  [
    r.strategyFn,
    r.strategyFnName,
    r.strategyWebhookUrl,
    r.workflow,
    r.contextFn,
    r.contextFnName,
    r.contextTemplate,
    r.contextWebhookUrl,
  ].filter((mode) => mode !== undefined).length;

/** Of proposers and arbiters. */
export const ONE_STRATEGY: Rule = [
  (r) => r.strategyFn !== undefined && r.strategyFnName !== undefined,
  'it has both strategyFn and strategyFnName',
  'Leave out one of them',
];

/** In the order of the checks, which is DIAL's: the first broken one is reported. */
export const PROPOSER_RULES: readonly Rule[] = [
  ONE_STRATEGY,
  [
    (r) => r.strategyFn !== undefined && r.modelId !== undefined,
    'it has both strategyFn and modelId',
    'Leave out modelId for a strategy, or strategyFn for a model',
  ],
  [
    (r) => r.strategyFnName !== undefined && r.modelId !== undefined,
    'it has both strategyFnName and modelId',
    'Leave out modelId for a strategy, or strategyFnName for a model',
  ],
  [
    (r) => r.strategyFn !== undefined && (r.contextFn !== undefined || r.contextFnName !== undefined),
    'it has both strategyFn and a context function',
    'Leave out the context for a strategy, or strategyFn for a model',
  ],
  [
    (r) => r.contextFn !== undefined && r.modelId === undefined,
    'it has contextFn but no modelId',
    NAME_MODEL,
  ],
  [
    (r) => (r.contextFnName !== undefined || r.contextTemplate !== undefined) && r.modelId === undefined,
    'it has a context but no modelId',
    NAME_MODEL,
  ],
  [
    (r) => r.contextWebhookUrl !== undefined && r.modelId === undefined,
    'it has contextWebhookUrl but no modelId',
    NAME_MODEL,
  ],
  [
    (r) => r.askReasoning === true && r.modelId === undefined,
    'it has askReasoning but no modelId',
    'Leave out askReasoning: only a model is offered tools',
  ],
  [
    (r) =>
      r.modelId === undefined &&
      [r.modelParameters, r.backupModels, r.systemPrompt, r.budget].some((setting) => setting !== undefined),
    'it has settings of a model but no modelId',
    'Leave out modelParameters, backupModels, systemPrompt and budget, or name the model',
  ],
  [
    (r) => engineMember(r.modelParameters ?? {}) !== undefined,
    'extraBody in its modelParameters sets what the engine sets: model, messages, tools, stream or response_format',
    'Leave that member out; responseFormat asks for structured output',
  ],
  TOKEN_NAMED,
  [(r) => modes(r) === 0 && r.isHuman !== true, 'it has no execution mode', ONE_MODE],
  [(r) => modes(r) > 1, 'it has more than one execution mode', ONE_MODE],
  [(r) => modes(r) === 0 && r.modelId !== undefined, 'it has a modelId but no context', ONE_MODE],
  [
    (r) => r.strategyWebhookUrl !== undefined && r.modelId !== undefined,
    'it has both strategyWebhookUrl and modelId',
    'Leave out modelId for a strategy, or give contextWebhookUrl for a model',
  ],
  [
    (r) => r.workflow !== undefined && r.modelId !== undefined,
    'it has both workflow and modelId',
    'Leave out modelId: where the workflow needs a model, its input names it',
  ],
  [
    (r) => r.workflow?.input !== undefined && Object.hasOwn(r.workflow.input, 'exits'),
    'the input of its workflow has exits',
    'Leave out exits: they are the transitions of the state',
  ],
  ...WEBHOOK_RULES,
  [(r) => r.threshold !== undefined, 'a threshold belongs to an arbiter', 'Leave out threshold'],
  [(r) => r.trust !== undefined, 'trust belongs to an arbiter, a state or a machine', 'Leave out trust'],
];
