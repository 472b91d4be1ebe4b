import { describe, expect, it } from '@jest/globals';
import type { RegistrationWithFunctions } from './registration.js';
import { registrationRefusal } from './registration-rules.js';

type Members = Omit<RegistrationWithFunctions, 'role' | 'specialistId' | 'machineName'>;

const refusalOf = (members: Members, role: 'proposer' | 'arbiter') =>
  registrationRefusal({ role, specialistId: 'clerk', machineName: 'refunds', ...members });
const refused = (why: string) => ({
  rejected: 'refused',
  code: 'execution-mode',
  message: expect.stringContaining(why),
});

const fn = () => undefined;
const workflow = { name: 'planner', input: { goal: 'g' } };
const strategyWebhookUrl = 'https://hooks.example/decide';
const contextWebhookUrl = 'https://hooks.example/facts';
const webhookTokenName = 'REFUNDS_WEBHOOK_TOKEN';

// Each breaks the later rules as well, if it can: the order is part of the contract.
describe('a proposer', () => {
  it.each<[Members, string]>([
    [{ strategyFn: fn, strategyFnName: 's', modelId: 'm' }, 'it has both strategyFn and strategyFnName'],
    [{ strategyFn: fn, modelId: 'm', contextFn: fn }, 'it has both strategyFn and modelId'],
    [{ strategyFnName: 's', modelId: 'm', strategyWebhookUrl }, 'it has both strategyFnName and modelId'],
    [{ strategyFn: fn, contextFn: fn }, 'it has both strategyFn and a context function'],
    [{ strategyFn: fn, contextFnName: 'c' }, 'it has both strategyFn and a context function'],
    [{ contextFn: fn, contextFnName: 'c', contextWebhookUrl }, 'it has contextFn but no modelId'],
    [{ contextFnName: 'c', contextWebhookUrl }, 'it has a context but no modelId'],
    [{ contextTemplate: 't' }, 'it has a context but no modelId'],
    [{ contextWebhookUrl, strategyWebhookUrl }, 'it has contextWebhookUrl but no modelId'],
    [{ strategyWebhookUrl, strategyFnName: 's' }, 'it has a webhook but no webhookTokenName'],
    [{ contextWebhookUrl, modelId: 'm' }, 'it has a webhook but no webhookTokenName'],
    [{}, 'it has no execution mode'],
    [{ modelId: 'm' }, 'it has no execution mode'],
    [{ webhookTokenName }, 'it has no execution mode'],
    [{ strategyFnName: 's', strategyWebhookUrl, webhookTokenName }, 'it has more than one execution mode'],
    [
      { contextFnName: 'c', contextTemplate: 't', modelId: 'm', threshold: 1 },
      'it has more than one execution mode',
    ],
    [{ contextFn: fn, contextFnName: 'c', modelId: 'm' }, 'it has more than one execution mode'],
    [{ isHuman: true, modelId: 'm' }, 'it has a modelId but no context'],
    [{ strategyWebhookUrl, webhookTokenName, modelId: 'm' }, 'it has both strategyWebhookUrl and modelId'],
    [{ workflow, strategyFnName: 's' }, 'it has more than one execution mode'],
    [{ workflow, modelId: 'm', threshold: 1 }, 'it has both workflow and modelId'],
    [{ workflow: { name: 'w', input: { exits: [] } }, threshold: 1 }, 'the input of its workflow has exits'],
    [{ strategyFnName: 's', threshold: 1 }, 'a threshold belongs to an arbiter'],
    [{ strategyFnName: 's', trust: {} }, 'trust belongs to an arbiter, a state or a machine'],
  ])('D-13: is refused with %j: %s', (members, why) => {
    expect(refusalOf(members, 'proposer')).toMatchObject(refused(why));
  });

  it.each<[Members]>([
    [{ strategyFn: fn }],
    [{ strategyFnName: 's' }],
    [{ strategyWebhookUrl, webhookTokenName }],
    [{ workflow }],
    [{ workflow: { name: 'w' } }],
    [{ contextFn: fn, modelId: 'm' }],
    [{ contextFnName: 'c', modelId: 'm' }],
    [{ contextTemplate: 't', modelId: 'm' }],
    [{ contextWebhookUrl, webhookTokenName, modelId: 'm' }],
    [{ isHuman: true }],
    [{ isHuman: true, strategyFnName: 's' }],
  ])('D-12: may be registered with %j', (members) => {
    expect(refusalOf(members, 'proposer')).toBeUndefined();
  });
});

it.each([{ specialistId: 'redial' }, { specialistId: 'clerk', personId: 'redial' }])(
  'a human whose person would be the engine is refused: %j',
  (named) => {
    const human = { role: 'proposer', machineName: 'refunds', isHuman: true } as const;
    expect(registrationRefusal({ ...human, ...named })).toMatchObject({ code: 'invalid-specialist' });
    expect(registrationRefusal({ ...human, specialistId: 'redial', personId: 'ann' })).toBeUndefined();
  },
);

describe('an arbiter (X-D10: with a threshold from 0 to 1)', () => {
  it.each<[Members, string]>([
    [{ strategyFnName: 's', isHuman: true }, 'a human is a proposer'],
    [{ strategyFnName: 's', modelId: 'm' }, 'an arbiter has no model'],
    [{ contextFn: fn }, 'an arbiter has no model and no context'],
    [{ contextTemplate: 't' }, 'an arbiter has no model and no context'],
    [{ contextWebhookUrl }, 'an arbiter has no model and no context'],
    [{ strategyFn: fn, strategyFnName: 's', strategyWebhookUrl }, 'both strategyFn and strategyFnName'],
    [{ strategyFnName: 's', strategyWebhookUrl }, 'it has a webhook but no webhookTokenName'],
    [{ strategyFnName: 's', threshold: -1 }, 'its threshold is not between 0 and 1'],
    [{ strategyFnName: 's', threshold: 5 }, 'its threshold is not between 0 and 1'],
    [{ strategyFnName: 's', threshold: Number.NaN }, 'its threshold is not between 0 and 1'],
    [{ strategyFnName: 's', trust: { minComparisons: -1 } }, 'its trust is not a policy'],
    [{ strategyFnName: 's', trust: { minComparisons: 1.5 } }, 'its trust is not a policy'],
    [{ strategyFnName: 's', trust: { minAlignment: 1.1 } }, 'its trust is not a policy'],
    [{ workflow: { name: 'planner' } }, 'a workflow proposes, and does not arbitrate'],
    [{ threshold: 1 }, 'it has no execution mode'],
    [{ strategyFnName: 's', strategyWebhookUrl, webhookTokenName }, 'more than one execution mode'],
    [{ strategyWebhookUrl: 'hooks', webhookTokenName }, 'its webhook is not an http or https URL'],
  ])('D-14: is refused with %j: %s', (members, why) => {
    expect(refusalOf(members, 'arbiter')).toMatchObject(refused(why));
  });

  it.each<[Members]>([
    [{ strategyFn: fn }],
    [{ strategyFnName: 's', threshold: 0.5 }],
    [{ strategyFnName: 's', trust: { minComparisons: 10, minAlignment: 0.6 } }],
    [{ strategyWebhookUrl, webhookTokenName }],
  ])('D-14: may be registered with %j', (members) => {
    expect(refusalOf(members, 'arbiter')).toBeUndefined();
  });
});

describe('a webhook', () => {
  it.each(['hooks.example', 'ftp://hooks.example/', 'file:///etc/passwd', 'http://', 'https://a b/', ''])(
    'is refused at "%s": it is not an http or https URL',
    (url) => {
      const why = refused('its webhook is not an http or https URL');
      expect(refusalOf({ strategyWebhookUrl: url, webhookTokenName }, 'proposer')).toMatchObject(why);
      const members = { contextWebhookUrl: url, webhookTokenName, modelId: 'm' };
      expect(refusalOf(members, 'proposer')).toMatchObject(why);
    },
  );

  it.each(['https://user@hooks.example/', 'https://:secret@hooks.example/', 'http://a:b@[::1]/'])(
    'is refused at %s: it holds credentials',
    (url) => {
      const members = { strategyWebhookUrl: url, webhookTokenName };
      expect(refusalOf(members, 'proposer')).toMatchObject(refused('a user name or password'));
    },
  );

  it.each([
    'OPENAI_API_KEY',
    'REDIAL_API_TOKEN',
    'DATABASE_URL',
    'EVENTSTOREDB_URL',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'OPENAI_WEBHOOK_SECRET',
    'WEBHOOK_TOKEN_OF_NOBODY',
    'NOTAHOOK_TOKEN',
    'webhook_token',
    '__proto__',
    'HOOK TOKEN',
    '1_HOOK_TOKEN',
    `${'A'.repeat(200)}_HOOK_TOKEN`,
    '',
  ])('is refused the token of "%s": no other secret of the process is sent to it', (name) => {
    const members = { strategyWebhookUrl, webhookTokenName: name };
    expect(refusalOf(members, 'proposer')).toMatchObject(refused('its webhookTokenName'));
  });

  it.each(['WEBHOOK_TOKEN', 'HOOK_TOKEN', 'REFUNDS_WEBHOOK_TOKEN', 'A2_HOOK_TOKEN'])(
    'may have the token of %s',
    (name) => {
      expect(refusalOf({ strategyWebhookUrl, webhookTokenName: name }, 'proposer')).toBeUndefined();
    },
  );
});
