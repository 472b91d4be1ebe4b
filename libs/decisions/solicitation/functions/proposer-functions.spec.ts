import { describe, expect, it } from '@jest/globals';
import type { ProposerContext } from '#lib/decisions/session';
import { DuplicateFunction } from '#lib/activities';
import { ProposerFunctions } from './proposer-functions.js';

const contextOf = (transitions: ProposerContext['transitions']): ProposerContext => ({
  sessionId: 's',
  currentState: 'review',
  prompt: '',
  transitions,
  history: [],
});
const three = contextOf({ z: { target: 'Z' }, constructor: { target: 'C' }, a: { target: 'A' } });

describe('the built-in strategies', () => {
  it.each([
    ['firstAvailable', 0, 'z', 'Z'],
    ['lastAvailable', 0, 'a', 'A'],
    ['random', 0, 'z', 'Z'],
    ['random', 0.5, 'constructor', 'C'],
    ['random', 0.999999, 'a', 'A'],
    ['random', 1, 'a', 'A'],
    ['weightedRandom', 0.5, 'constructor', 'C'],
  ])('D-15: %s (%d) chooses %s', async (name, random, transitionName, toState) => {
    const strategy = new ProposerFunctions(() => random).strategy(name);
    expect(await strategy?.(three)).toMatchObject({ transitionName, toState, reasoning: expect.any(String) });
  });

  it.each(['firstAvailable', 'lastAvailable', 'random', 'weightedRandom'])(
    'D-15: %s fails when there are no transitions',
    (name) => {
      const strategy = new ProposerFunctions().strategy(name);
      expect(() => strategy?.(contextOf({}))).toThrow('State "review" offers no transitions.');
    },
  );
});

describe('ProposerFunctions', () => {
  it('takes back what was registered, and never what is built in', () => {
    const functions = new ProposerFunctions().registerStrategy('mine', () => ({ transitionName: 'a' }));
    functions.unregister('mine');
    functions.unregister('random');
    expect(functions.strategy('mine')).toBeUndefined();
    expect(functions.strategy('random')).toBeDefined();
  });

  it('knows functions by name, and nothing a record inherits', () => {
    const functions = new ProposerFunctions().registerContext('constructor', () => 'text');
    expect(functions.context('constructor')).toBeDefined();
    expect(functions.strategy('constructor')).toBeUndefined();
    expect(functions.strategy('toString')).toBeUndefined();
    expect(functions.contextNames).toEqual(['constructor']);
  });

  it('refuses a name that is taken, also by a built-in strategy', () => {
    const functions = new ProposerFunctions().registerStrategy('mine', () => ({ transitionName: 'a' }));
    expect(() => functions.registerStrategy('mine', () => ({ transitionName: 'b' }))).toThrow(
      DuplicateFunction,
    );
    expect(() => functions.registerStrategy('random', () => ({ transitionName: 'b' }))).toThrow(
      'strategy "random"',
    );
    expect(() => functions.registerContext('mine', () => '')).not.toThrow();
    expect(functions.strategyNames).toEqual([
      'firstAvailable',
      'lastAvailable',
      'random',
      'weightedRandom',
      'mine',
    ]);
  });
});
