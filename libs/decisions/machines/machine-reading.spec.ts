import { describe, expect, it } from '@jest/globals';
import type { MachineDefinition } from './machine-definition.js';
import { isAtRest, isEnriched, promptOf, transitionsOf } from './machine-reading.js';

const machine: MachineDefinition = {
  machineName: 'm',
  initialState: 'open',
  goalState: 'done',
  states: {
    open: { prompt: 'Well?', transitions: { close: { target: 'done' } } },
    done: { transitions: { reopen: { target: 'open' } } },
    dropped: {},
    empty: { transitions: {} },
  },
};

describe('reading a machine', () => {
  it('gives the transitions of a state, and none when there are none or no such state', () => {
    expect(transitionsOf(machine, 'open')).toEqual({ close: { target: 'done' } });
    for (const name of ['dropped', 'nowhere', 'constructor', '__proto__'])
      expect(transitionsOf(machine, name)).toEqual({});
  });

  it('D-2: gives the prompt of a state, empty when there is none', () => {
    expect(promptOf(machine, 'open')).toBe('Well?');
    for (const name of ['dropped', 'nowhere', 'constructor']) expect(promptOf(machine, name)).toBe('');
  });

  it('D-2: is at rest at the goal, even when transitions lead out of it, and when nothing leads on', () => {
    expect(['open', 'done', 'dropped', 'empty'].map((name) => isAtRest(machine, name))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('D-3: calls a transition enriched when it has a description, even an empty one, or parameters', () => {
    expect(isEnriched({ target: 'a' })).toBe(false);
    expect(isEnriched({ target: 'a', onInvalidArguments: 'reask' })).toBe(false);
    expect(isEnriched({ target: 'a', description: '' })).toBe(true);
    expect(isEnriched({ target: 'a', parameters: {} })).toBe(true);
  });
});
