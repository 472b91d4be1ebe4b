import { describe, expect, it } from '@jest/globals';
import { normalizeMachine } from '#lib/decisions/machines';
import { machineTemplateWarnings, templateWarnings } from './template-warnings.js';

const named = (template: string) =>
  templateWarnings(template).map((warning) => /^"(.*?)" is not a member/.exec(warning)?.[1]);

describe('the warnings about a context template', () => {
  it.each([
    'No tag at all',
    '{{prompt}} {{{currentState}}} {{&sessionId}} {{machineName}}',
    '{{metaJson.order.total}} {{metaJson}}',
    '{{#metaJson}}{{order}} {{#lines}}{{price}} {{.}}{{/lines}}{{/metaJson}}',
    '{{#history}}{{fromState}} {{transitionName}} {{metaJson.note}} {{prompt}}{{/history}}',
    '{{^history}}first {{prompt}}{{/history}}',
    '{{#transitions}}{{approve.description}}{{/transitions}}',
    '{{! a {{comment}} }}{{=<% %>=}}<% prompt %>',
    '{{#prompt}}{{.}} {{currentState}}{{/prompt}}',
  ])('X-U4: has nothing to say of %s', (template) => {
    expect(named(template)).toEqual([]);
  });

  it.each([
    ['{{promt}}', ['promt']],
    ['{{metajson.total}} {{metajson.total}}', ['metajson.total']],
    ['{{order}} in {{state}}', ['order', 'state']],
    ['{{#hist}}{{fromState}}{{/hist}}', ['hist']],
    ['{{#history}}{{from}} {{toState}}{{/history}}', ['from']],
    ['{{^history}}{{from}}{{/history}}', ['from']],
    ['{{#prompt}}{{text}}{{/prompt}}', ['text']],
    ['{{> header}}', ['header']],
    ['{{toString}} {{constructor}}', ['toString', 'constructor']],
  ])('X-U4: names what %s can never show', (template, names) => {
    expect(named(template)).toEqual(names);
  });

  it('leaves a broken template to those who refuse it', () => {
    expect(named('{{#open}}')).toEqual([]);
  });

  it('X-U4: has the place of each template of a machine', () => {
    const model = { role: 'proposer', modelId: 'm' } as const;
    const machine = normalizeMachine({
      machineName: 'm',
      initialState: 'a/b',
      goalState: 'done',
      specialists: [
        { ...model, specialistId: 'one', contextTemplate: '{{prompt}}' },
        { ...model, specialistId: 'two', contextTemplate: '{{promt}}', systemPrompt: '{{machine}}' },
      ],
      states: {
        'a/b': {
          transitions: { go: 'done' },
          specialists: [{ ...model, specialistId: 'three', contextTemplate: '{{x}}' }],
        },
        done: {},
      },
    });
    expect(machineTemplateWarnings(machine).map(({ path }) => path)).toEqual([
      '/specialists/1/contextTemplate',
      '/specialists/1/systemPrompt',
      '/states/a~1b/specialists/0/contextTemplate',
    ]);
  });
});
