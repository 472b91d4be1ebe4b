import { describe, expect, it } from '@jest/globals';
import { inspectGate } from './inspect-gate.js';

const gate = {
  gateId: 'release',
  prompt: 'Ship it?',
  choices: { ship: { description: 'Ship it', parameters: { type: 'object' } }, hold: {} },
  specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
  consensusThreshold: 0.4,
};

describe('inspectGate', () => {
  it('finds nothing wrong with a sound gate, however little it says', () => {
    expect(inspectGate(gate)).toEqual([]);
    expect(inspectGate({ gateId: 'g', choices: { pass: {} } })).toEqual([]);
  });

  it.each<[string, unknown, string, 'malformed' | 'invalid']>([
    ['no object', [], '', 'malformed'],
    ['an unknown member', { ...gate, goalState: 'done' }, '/goalState', 'malformed'],
    ['the name of a machine', { ...gate, machineName: 'm' }, '/machineName', 'malformed'],
    ['no id', { choices: gate.choices }, '/gateId', 'invalid'],
    ['an id that is no text', { ...gate, gateId: 7 }, '/gateId', 'malformed'],
    ['an id with a blank', { ...gate, gateId: 'a b' }, '/gateId', 'invalid'],
    ['a prompt that is no text', { ...gate, prompt: 7 }, '/prompt', 'malformed'],
    ['no choices', { gateId: 'g' }, '/choices', 'invalid'],
    ['choices that are a list', { ...gate, choices: ['ship'] }, '/choices', 'malformed'],
    ['no choice among the choices', { ...gate, choices: {} }, '/choices', 'invalid'],
    ['a choice that is a number', { ...gate, choices: { 'a/b': 7 } }, '/choices/a~1b', 'malformed'],
    [
      'a choice with a target',
      { ...gate, choices: { go: { target: 'x' } } },
      '/choices/go/target',
      'malformed',
    ],
    [
      'a choice with an unknown member',
      { ...gate, choices: { go: { cost: 1 } } },
      '/choices/go/cost',
      'malformed',
    ],
    [
      'parameters that are no schema',
      { ...gate, choices: { go: { parameters: { type: 'what' } } } },
      '/choices/go/parameters/type',
      'invalid',
    ],
    [
      'a specialist without an id',
      { ...gate, specialists: [{ role: 'proposer' }] },
      '/specialists/0/specialistId',
      'invalid',
    ],
    ['a threshold above 1', { ...gate, consensusThreshold: 2 }, '/consensusThreshold', 'invalid'],
  ])('points to %s, and to nothing else', (_what, value, path, kind) => {
    expect(inspectGate(value)).toEqual([{ path, kind, message: expect.any(String) }]);
  });

  it('X-D11: takes a choice that is a text', () => {
    expect(inspectGate({ gateId: 'g', choices: { go: 'Go on', stay: {} } })).toEqual([]);
  });

  it('finds everything that is wrong at once', () => {
    const value = { prompt: 7, choices: { go: 7, stay: { cost: 1 } }, more: true };
    expect(inspectGate(value).map(({ path }) => path)).toEqual([
      '/more',
      '/gateId',
      '/choices/go',
      '/prompt',
      '/choices/stay/cost',
    ]);
  });

  it.each([undefined, null, 7, 'gate', { gateId: 'g', choices: { __proto__: null, a: deep() } }])(
    'never throws: %#',
    (value) => {
      expect(inspectGate(value).length).toBeGreaterThan(0);
    },
  );
});

/** A deeply nested value. */
function deep(): unknown {
  return Array.from({ length: 10_000 }).reduce<unknown>((inner) => ({ parameters: inner }), {});
}
