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

const MODEL_1 = { contextTemplate: '{{metaJson.text}}', modelId: 'gpt-4o-mini' };
const MODEL_2 = { contextTemplate: '{{metaJson.text}}', modelId: 'gpt-4o' };

const registered: ProposerRegistered = {
  type: 'ProposerRegistered',
  data: {
    specialistId: 'clerk',
    machineName: 'refunds',
    version: 1,
    isHuman: false,
    execution: { contextTemplate: '{{metaJson.text}}', modelId: 'gpt-4o-mini' },
  },
};

const name = { specialistId: 'clerk', machineName: 'refunds' } as const;

function register(registration: Partial<SpecialistRegistration>) {
  const { contextTemplate: _c, modelId: _m, ...base } = clerk;
  return { type: 'RegisterSpecialist', data: { registration: { ...base, ...registration } } } as const;
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
  ])('D-12: takes %j as a mode', (execution) => {
    const data = { specialistId: 'clerk', machineName: 'refunds', version: 1, isHuman: false, execution };
    given([])
      .when(register(execution))
      .then([{ type: 'ProposerRegistered', data }]);
  });

  it('X-T9: lets a human have none, and name the person who acts as them', () => {
    const data = { ...name, version: 1, isHuman: true, personId: 'ann' };
    given([])
      .when(register({ isHuman: true, personId: 'ann' }))
      .then([{ type: 'ProposerRegistered', data }]);
    given([])
      .when(register({ strategyFnName: 's', personId: 'ann' }))
      .thenRejected({ rejected: 'refused', code: 'invalid-specialist' });
    given([])
      .when(register({ isHuman: true, personId: '-' }))
      .thenRejected({ rejected: 'refused', code: 'invalid-specialist' });
  });

  it('X-T9: has another person in another version', () => {
    const human = { ...name, version: 1, isHuman: true };
    given([{ type: 'ProposerRegistered', data: human }])
      .when(register({ isHuman: true, personId: 'bob' }))
      .then([{ type: 'ProposerRegistered', data: { ...human, version: 2, personId: 'bob' } }]);
  });

  it('refuses what breaks a rule of registrations', () => {
    given([]).when(register({})).thenRejected({ rejected: 'refused', code: 'execution-mode' });
  });
});

describe('registering an arbiter', () => {
  it('keeps its strategy and threshold', () => {
    const data = {
      specialistId: 'clerk',
      machineName: 'refunds',
      version: 1,
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
  ])('D-14: takes %j as a mode', (execution) => {
    const data = { specialistId: 'clerk', machineName: 'refunds', version: 1, execution };
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

describe('registering an id again', () => {
  const second = { ...registered, data: { ...registered.data, version: 2, execution: MODEL_2 } };
  const again = (version: number, over: object = {}) =>
    ({ type: 'SpecialistRegisteredAgain', data: { ...name, version, ...over } }) as const;
  const disabled = { type: 'SpecialistDisabled', data: name } as const;

  it('X-L5: has nothing to do for the body of the current version', () => {
    given([registered]).when(register(MODEL_1)).thenNothing();
    given([registered])
      .when(register({ ...MODEL_1, disabled: true, keepAlignment: true }))
      .thenNothing();
  });

  it('X-T3: makes the next version for another body', () => {
    given([registered]).when(register(MODEL_2)).then([second]);
    given([registered, second])
      .when(register({ role: 'arbiter', strategyFnName: 'firstProposal' }))
      .then([
        {
          type: 'ArbiterRegistered',
          data: { ...name, version: 3, execution: { strategyFnName: 'firstProposal' } },
        },
      ]);
  });

  it('X-T3: makes an older version current again for its body', () => {
    given([registered, second])
      .when(register(MODEL_1))
      .then([again(1)]);
    given([registered, second, again(1)])
      .when(register(MODEL_1))
      .thenNothing();
    given([registered, second, again(1)])
      .when(register(MODEL_2))
      .then([again(2)]);
  });

  it('X-T3: keeps the alignment of the version that was current, where it is asked to', () => {
    const third = { ...clerk, contextTemplate: 'other' };
    const execution = { contextTemplate: 'other', modelId: 'gpt-4o-mini' };
    given([registered, second, again(1)])
      .when({ type: 'RegisterSpecialist', data: { registration: { ...third, keepAlignment: true } } })
      .then([{ ...registered, data: { ...registered.data, version: 3, execution, alignmentOf: 1 } }]);
    given([])
      .when(register({ ...MODEL_1, keepAlignment: true }))
      .then([registered]);
  });

  it('X-T8: registers a version disabled, and leaves a disabled specialist disabled', () => {
    const off = { ...registered, data: { ...registered.data, disabled: true } } as const;
    given([])
      .when(register({ ...MODEL_1, disabled: true }))
      .then([off]);
    given([off]).when({ type: 'DisableSpecialist', data: name }).thenNothing();
    given([registered, disabled, second]).when({ type: 'DisableSpecialist', data: name }).thenNothing();
    given([registered, { ...second, data: { ...second.data, disabled: true } }])
      .when({ type: 'DisableSpecialist', data: name })
      .thenNothing();
  });

  it('records when a declared specialist is registered by itself, and not the other way', () => {
    const declared = { ...registered, data: { ...registered.data, declared: true } } as const;
    const declare = { type: 'RegisterSpecialist', data: { registration: clerk, declared: true } } as const;
    given([]).when(declare).then([declared]);
    given([declared]).when(declare).thenNothing();
    given([declared])
      .when(register(MODEL_1))
      .then([again(1)]);
    given([declared, again(1)])
      .when(register(MODEL_1))
      .thenNothing();
    given([registered]).when(declare).thenNothing();
    given([registered, second])
      .when(declare)
      .then([again(1, { declared: true })]);
  });
});

describe('enabling and disabling', () => {
  const enable = { type: 'EnableSpecialist', data: name } as const;
  const disable = { type: 'DisableSpecialist', data: name } as const;
  const disabled = { type: 'SpecialistDisabled', data: name } as const;

  it('changes what is otherwise, and has nothing to do where it is so already', () => {
    given([registered]).when(disable).then([disabled]);
    given([registered, disabled]).when(disable).thenNothing();
    given([registered, disabled])
      .when(enable)
      .then([{ type: 'SpecialistEnabled', data: name }]);
    given([registered]).when(enable).thenNothing();
  });

  it('refuses what was never registered', () => {
    given([]).when(enable).thenRejected({ rejected: 'unknown', code: 'unknown-specialist' });
  });

  it('rebuilds every command from what was recorded of it', () => {
    for (const command of [enable, disable, register({ strategyFnName: 's' })]) {
      const recorded: unknown = JSON.parse(JSON.stringify(specialistDecider.record(command, [])));
      expect(specialistDecider.rebuild(recorded, [])).toEqual(command);
    }
  });
});
