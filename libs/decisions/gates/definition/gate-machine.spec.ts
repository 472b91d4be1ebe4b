import { describe, expect, it } from '@jest/globals';
import { inspectMachine, isAtRest, normalizeMachine } from '#lib/decisions/machines';
import { alignmentScope } from '#lib/decisions/session';
import type { GateDefinition } from './gate-definition.js';
import { askedMachine, gateMachine, isGateMachine, normalizeGate } from './gate-machine.js';

const ship = {
  description: 'Ship it',
  parameters: { type: 'object' },
  onInvalidArguments: 'reject',
} as const;
const gate: GateDefinition = {
  gateId: 'release',
  prompt: 'Ship it?',
  choices: { ship, hold: {} },
  specialists: [{ role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' }],
  consensusThreshold: 0.4,
};

describe('gateMachine', () => {
  it('leads from evaluate to done by every choice, in the order of the choices', () => {
    const machine = gateMachine(gate);
    expect(JSON.stringify(machine)).toBe(
      JSON.stringify({
        machineName: 'release',
        initialState: 'evaluate',
        goalState: 'done',
        states: {
          evaluate: {
            prompt: 'Ship it?',
            transitions: { ship: { target: 'done', ...ship }, hold: { target: 'done' } },
          },
          done: {},
        },
        specialists: gate.specialists,
        consensusThreshold: 0.4,
      }),
    );
    expect(isAtRest(machine, 'evaluate')).toBe(false);
    expect(isAtRest(machine, 'done')).toBe(true);
  });

  it('is sound and normalized', () => {
    const machine = gateMachine(gate);
    expect(inspectMachine(machine)).toEqual({ valid: true, errors: [], warnings: [] });
    expect(JSON.stringify(normalizeMachine(machine))).toBe(JSON.stringify(machine));
  });

  it('keeps the alignment of the whole gate in one scope, named after it', () => {
    const machine = gateMachine(gate);
    const { machineName, initialState: currentState } = machine;
    expect(alignmentScope({ machineName, machine, machineVersion: 1, currentState })).toEqual({
      machineName: 'release',
    });
  });

  it('takes choices called constructor and __proto__ for choices', () => {
    const choices = JSON.parse(
      '{"constructor":{},"__proto__":{"description":"odd"}}',
    ) as GateDefinition['choices'];
    const { states } = gateMachine({ gateId: 'odd', choices });
    expect(JSON.stringify(states['evaluate']?.transitions)).toBe(
      '{"constructor":{"target":"done"},"__proto__":{"target":"done","description":"odd"}}',
    );
  });
});

it('X-D11: a choice that is a text has it as its description', () => {
  const choices = { ship: 'Ship it', hold: {} };
  expect(normalizeGate({ gateId: 'release', choices })).toEqual({
    gateId: 'release',
    choices: { ship: { description: 'Ship it' }, hold: {} },
  });
});

describe('X-D11: the machine of an invocation', () => {
  const promptOfAsked = (prompt: string | undefined, suffix: string) =>
    askedMachine(
      gateMachine({ gateId: 'g', choices: { yes: {} }, ...(prompt !== undefined && { prompt }) }),
      suffix,
    ).states['evaluate']?.prompt;

  it.each([
    ['Ship?', 'Version 7', 'Ship?\n\nVersion 7'],
    [undefined, 'Version 7', 'Version 7'],
    ['Ship?', '', 'Ship?'],
    [undefined, '', undefined],
  ])('with the prompt %j and the suffix %j asks %j', (prompt, suffix, asked) => {
    expect(promptOfAsked(prompt, suffix)).toBe(asked);
  });

  it('is that of a gate', () => {
    expect(isGateMachine(askedMachine(gateMachine(gate), 'now'))).toBe(true);
  });
});

describe('isGateMachine', () => {
  const machine = gateMachine(gate);

  it('knows the machine of a gate', () => {
    expect(isGateMachine(machine)).toBe(true);
  });

  it.each([
    ['with other states', { ...machine, initialState: 'done' }],
    ['with more states', { ...machine, states: { ...machine.states, later: {} } }],
    [
      'where a choice leads back',
      {
        ...machine,
        states: { ...machine.states, evaluate: { transitions: { again: { target: 'evaluate' } } } },
      },
    ],
    ['without choices', { ...machine, states: { ...machine.states, evaluate: {} } }],
  ])('knows that a machine %s is none', (_what, other) => {
    expect(isGateMachine(other)).toBe(false);
  });
});
