import { describe, expect, it } from '@jest/globals';
import { RedialError } from '#lib/kernel';
import { InvalidMachine, validateMachine } from './validate-machine.js';

const machine = (target: unknown) => ({
  machineName: 'triage',
  initialState: 'open',
  goalState: 'done',
  states: { open: { transitions: { close: target } }, done: {} },
});

function refusalOf(value: unknown): InvalidMachine {
  try {
    validateMachine(value);
  } catch (error) {
    if (error instanceof InvalidMachine) return error;
    throw error;
  }
  throw new Error('The machine was accepted.');
}

describe('validateMachine', () => {
  it('accepts a sound machine', () => {
    expect(() => validateMachine(machine('done'))).not.toThrow();
  });

  it.each(['gone', { target: 'gone', description: 'Close' }])(
    'case 6, D-5: refuses the transition %j to a state that does not exist',
    (target) => {
      expect(refusalOf(machine(target)).message).toContain(
        'transition "close" of state "open" leads to the non-existent state "gone"',
      );
    },
  );

  it('throws one error with all problems, in the house form', () => {
    const refusal = refusalOf({ ...machine('gone'), goalState: '', extra: 1 });
    expect(refusal).toBeInstanceOf(RedialError);
    expect(refusal.problems.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
      'invalid /goalState',
      'invalid /states/open/transitions/close',
      'malformed /extra',
    ]);
    expect(refusal.message).toMatch(
      /^\[InvalidMachine\] machine "triage" is not valid: .*Correct these 3 problems/,
    );
    for (const { path, message } of refusal.problems)
      expect(refusal.message).toContain(`${path}: ${message}`);
  });

  it('says what is wrong with what is not an object', () => {
    expect(refusalOf(null).message).toBe(
      '[InvalidMachine] machine is not valid: (root): must be of type object. Correct it and try again.',
    );
  });
});
