import { describe, expect, it } from '@jest/globals';
import { inspectMachine } from './inspect-machine.js';
import { machineLimits } from '#lib/json-schema';

const sound = { machineName: 'm', initialState: 'a', goalState: 'z', states: { a: {}, z: {} } };
const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`u${n}`, 0]));

describe('inspectMachine: bounds', () => {
  it('X-S3: lists the first 20 errors and counts the others', () => {
    const { valid, errors, errorCount } = inspectMachine({ ...sound, ...unknown(1_000) });
    expect([valid, errors.length, errorCount]).toEqual([false, 20, 1_000]);
    expect(inspectMachine({ ...sound, ...unknown(20) })).not.toHaveProperty('errorCount');
  });

  it('X-S3: lists the first 20 warnings and counts the others', () => {
    const states = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`s${n}`, {}]));
    const { valid, warnings, warningCount } = inspectMachine({
      ...sound,
      states: { ...sound.states, ...states },
    });
    expect([valid, warnings.length, warningCount]).toEqual([true, 20, 202]);
  });

  it.each([
    ['members', { ...sound, ...unknown(machineLimits.values) }, ''],
    [
      'items',
      { ...sound, specialists: Array.from({ length: machineLimits.values }, () => 0) },
      '/specialists',
    ],
    ['specialists', { ...sound, specialists: Array.from({ length: machineLimits.parts }, () => ({})) }, ''],
    [
      'transitions',
      {
        ...sound,
        states: {
          a: { transitions: unknown(machineLimits.parts / 2) },
          b: { transitions: unknown(machineLimits.parts / 2) },
        },
      },
      '/states/b',
    ],
    [
      'characters of a name',
      { ...sound, states: { ['a'.repeat(machineLimits.nameLength + 1)]: {} } },
      '/states',
    ],
  ])('X-S3: reads no definition with too many %s', (_what, value, path) => {
    expect(inspectMachine(value)).toEqual({
      valid: false,
      errors: [{ path, message: expect.stringMatching(/too many|more than/) as unknown, kind: 'invalid' }],
      warnings: [],
    });
  });

  it('X-S3: refuses templates that are too long together, at the first one beyond the limit', () => {
    const specialists = Array.from({ length: 6 }, (_, n) => ({
      role: 'proposer',
      specialistId: `p${n}`,
      contextTemplate: 'x'.repeat(machineLimits.templates / 4),
    }));
    const { errors } = inspectMachine({ ...sound, specialists });
    expect(errors.map(({ path }) => path)).toEqual(['/specialists/4/contextTemplate']);
  });
});
