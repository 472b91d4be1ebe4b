import { describe, expect, it } from '@jest/globals';
import { nearestName, unknownProperty } from './unknown-name.js';

const known = ['machineName', 'metaJson', 'prompt', 'role', 'url'];

describe('an unknown name', () => {
  it.each([
    ['promt', 'prompt'],
    ['prmopt', 'prompt'],
    ['metajson', 'metaJson'],
    ['machineNames', 'machineName'],
    ['roel', 'role'],
    ['URL', 'url'],
    ['key', undefined],
    ['x', undefined],
    ['', undefined],
    ['machine', undefined],
    ['prompt'.repeat(20_000), undefined],
  ])('%s is near to %s', (name, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  it('is said in words, with the near one when there is one', () => {
    expect(unknownProperty('promt', known)).toBe(
      'is unknown: there is no property "promt" here; did you mean "prompt"?',
    );
    expect(unknownProperty('other', known)).toBe('is unknown: there is no property "other" here');
  });
});
