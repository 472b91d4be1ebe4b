import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import type { SpecialistRegistration } from './registration.js';
import { specialistDecider } from './specialist.decider.js';
import type { ProposerRegistered } from './specialist.events.js';

const { given } = specify(specialistDecider);

const clerk: SpecialistRegistration = {
  role: 'proposer',
  specialistId: 'clerk',
  machineName: 'refunds',
  contextTemplate: '{{metaJson.text}}',
  modelId: 'gpt-4o-mini',
};

const registered: ProposerRegistered = {
  type: 'ProposerRegistered',
  data: {
    specialistId: 'clerk',
    machineName: 'refunds',
    isHuman: false,
    execution: { contextTemplate: '{{metaJson.text}}', modelId: 'gpt-4o-mini' },
  },
};

function register(registration: Partial<SpecialistRegistration>, actorTokenHash?: string) {
  const { contextTemplate: _c, modelId: _m, ...base } = clerk;
  const data = {
    registration: { ...base, ...registration },
    ...(actorTokenHash !== undefined && { actorTokenHash }),
  };
  return { type: 'RegisterSpecialist', data } as const;
}

describe('registering a proposer', () => {
  it('keeps its one execution mode', () => {
    given([])
      .when({ type: 'RegisterSpecialist', data: { registration: clerk } })
      .then([registered]);
  });

  it.each([
    [{ strategyFnName: 'firstAvailable' }],
    [{ contextFnName: 'archive', modelId: 'm' }],
    [{ contextTemplate: 't', modelId: 'm' }],
    [{ strategyWebhookUrl: 'https://hooks.example/decide', webhookTokenName: 'HOOK_TOKEN' }],
    [{ contextWebhookUrl: 'http://hooks:8080/facts', modelId: 'm', webhookTokenName: 'HOOK_TOKEN' }],
  ])('takes %j as a mode', (execution) => {
    const data = { specialistId: 'clerk', machineName: 'refunds', isHuman: false, execution };
    given([])
      .when(register(execution))
      .then([{ type: 'ProposerRegistered', data }]);
  });

  it('lets a human have none, and keeps the hash of their token', () => {
    const data = { specialistId: 'clerk', machineName: 'refunds', isHuman: true, actorTokenHash: 'abc' };
    given([])
      .when(register({ isHuman: true }, 'abc'))
      .then([{ type: 'ProposerRegistered', data }]);
  });

  it('refuses what breaks a rule of registrations', () => {
    given([]).when(register({})).thenRejected({ rejected: 'refused', code: 'execution-mode' });
  });

  it('refuses an id that is taken', () => {
    given([registered])
      .when({ type: 'RegisterSpecialist', data: { registration: clerk } })
      .thenRejected({ rejected: 'conflict', code: 'specialist-exists' });
  });
});

describe('registering an arbiter', () => {
  it('keeps its strategy and threshold', () => {
    const data = {
      specialistId: 'clerk',
      machineName: 'refunds',
      execution: { strategyFnName: 'alignmentMargin' },
      threshold: 0.5,
    };
    given([])
      .when(register({ role: 'arbiter', strategyFnName: 'alignmentMargin', threshold: 0.5 }))
      .then([{ type: 'ArbiterRegistered', data }]);
  });

  it.each([
    [{ strategyFnName: 'ofTheApplication' }],
    [{ strategyWebhookUrl: 'https://hooks.example/judge', webhookTokenName: 'JUDGE_WEBHOOK_TOKEN' }],
  ])('takes %j as a mode', (execution) => {
    const data = { specialistId: 'clerk', machineName: 'refunds', execution };
    given([])
      .when(register({ role: 'arbiter', ...execution }))
      .then([{ type: 'ArbiterRegistered', data }]);
  });

  it('refuses what breaks a rule of registrations', () => {
    given([])
      .when(register({ role: 'arbiter' }))
      .thenRejected({ rejected: 'refused', code: 'execution-mode' });
  });
});

describe('enabling and disabling', () => {
  const enable = { type: 'EnableSpecialist', data: { specialistId: 'clerk' } } as const;
  const disable = { type: 'DisableSpecialist', data: { specialistId: 'clerk' } } as const;
  const disabled = { type: 'SpecialistDisabled', data: { specialistId: 'clerk' } } as const;

  it('changes what is otherwise, and has nothing to do where it is so already', () => {
    given([registered]).when(disable).then([disabled]);
    given([registered, disabled]).when(disable).thenNothing();
    given([registered, disabled])
      .when(enable)
      .then([{ type: 'SpecialistEnabled', data: { specialistId: 'clerk' } }]);
    given([registered]).when(enable).thenNothing();
  });

  it('refuses what was never registered', () => {
    given([]).when(enable).thenRejected({ rejected: 'unknown', code: 'unknown-specialist' });
  });

  it('rebuilds every command from what was recorded of it', () => {
    for (const command of [enable, disable, register({ strategyFnName: 's' })]) {
      const recorded: unknown = JSON.parse(JSON.stringify(specialistDecider.record(command)));
      expect(specialistDecider.rebuild(recorded, [])).toEqual(command);
    }
  });
});
