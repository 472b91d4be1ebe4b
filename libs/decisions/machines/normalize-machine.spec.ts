import { describe, expect, it } from '@jest/globals';
import { jsonText } from '#lib/kernel';
import type { MachineInput } from './machine-definition.js';
import { normalizeMachine } from './normalize-machine.js';

const enriched = {
  target: 'done',
  description: 'Close it',
  parameters: { type: 'object', properties: { why: { type: 'string' } } },
} as const;

function machine(states: MachineInput['states']): MachineInput {
  return { machineName: 'm', initialState: 'open', goalState: 'done', states };
}

describe('normalizeMachine', () => {
  it('case 1, D-4: makes shorthand an object with a target and nothing else', () => {
    const { states } = normalizeMachine(machine({ open: { transitions: { close: 'done' } }, done: {} }));
    expect(states['open']?.transitions).toStrictEqual({ close: { target: 'done' } });
    expect(states['open']?.transitions?.['close']?.description).toBeUndefined();
    expect(states['open']?.transitions?.['close']?.parameters).toBeUndefined();
  });

  it('case 2, D-4: keeps an enriched transition unchanged', () => {
    const { states } = normalizeMachine(machine({ open: { transitions: { close: enriched } }, done: {} }));
    expect(states['open']?.transitions?.['close']).toStrictEqual(enriched);
  });

  it('case 3, D-3: takes both kinds in one state', () => {
    const transitions = { close: enriched, drop: 'done' };
    const { states } = normalizeMachine(machine({ open: { transitions }, done: {} }));
    expect(states['open']?.transitions).toStrictEqual({ close: enriched, drop: { target: 'done' } });
  });

  it('case 4, D-4: leaves a state without transitions untouched', () => {
    const { states } = normalizeMachine(
      machine({ open: { prompt: 'Well?', consensusThreshold: 0.5 }, done: {} }),
    );
    expect(states).toStrictEqual({ open: { prompt: 'Well?', consensusThreshold: 0.5 }, done: {} });
  });

  it('D-1: reads defaultState as the goal, in its place', () => {
    const input: MachineInput = {
      machineName: 'm',
      defaultState: 'done',
      initialState: 'done',
      states: { done: {} },
    };
    expect(jsonText(normalizeMachine(input))).toBe(
      '{"machineName":"m","goalState":"done","initialState":"done","states":{"done":{}}}',
    );
  });

  it('D-1: drops a defaultState beside a goalState', () => {
    const input = { ...machine({ open: {}, done: {} }), defaultState: 'done' };
    expect(normalizeMachine(input as MachineInput)).toStrictEqual(machine({ open: {}, done: {} }));
  });

  it('reads defaultState also beside a goalState that is undefined', () => {
    const input = { goalState: undefined, ...machine({ done: {} }), defaultState: 'done' };
    const normalized = normalizeMachine({ ...input, goalState: undefined });
    expect(normalized.goalState).toBe('done');
    expect(normalized).not.toHaveProperty('defaultState');
  });

  it('X-U4: drops the $schema that an editor needs', () => {
    const plain = machine({ open: {}, done: {} });
    expect(normalizeMachine({ $schema: './machine.schema.json', ...plain })).toStrictEqual(plain);
  });

  it('D-4: does not change its input', () => {
    const input = machine({ open: { transitions: { drop: 'done', close: enriched } }, done: {} });
    const before = jsonText(input);
    normalizeMachine(input);
    expect(jsonText(input)).toBe(before);
  });

  it('keeps the order of states, of members and of transitions', () => {
    const input = machine({ z: { transitions: { y: 'a', b: 'z' }, prompt: 'p' }, a: {} });
    expect(jsonText(normalizeMachine(input).states)).toBe(
      '{"z":{"transitions":{"y":{"target":"a"},"b":{"target":"z"}},"prompt":"p"},"a":{}}',
    );
  });

  it('keeps states and transitions with the names of inherited members', () => {
    const states = JSON.parse('{"__proto__":{"transitions":{"__proto__":"constructor"}},"constructor":{}}');
    expect(jsonText(normalizeMachine(machine(states)).states)).toBe(
      '{"__proto__":{"transitions":{"__proto__":{"target":"constructor"}}},"constructor":{}}',
    );
  });
});
