import { describe, expect, it } from '@jest/globals';
import { inspectMachine, isAtRest, normalizeMachine } from '#lib/machine';
import { alignmentScope } from '#lib/session';
import type { GateDefinition } from './gate-definition.js';
import { gateMachine, isGateMachine } from './gate-machine.js';

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
