import { describe, expect, it } from '@jest/globals';
import { ArbiterFunctions } from './arbiter-functions.js';
import { DuplicateFunction } from '#lib/activities';

const undecided = () => ({ consensusReached: false });

describe('ArbiterFunctions', () => {
  it('knows functions by name, and no others', () => {
    const functions = new ArbiterFunctions().registerArbiter('constructor', undecided);
    expect(functions.arbiter('constructor')).toBe(undecided);
    expect(functions.arbiter('toString')).toBeUndefined();
    expect(functions.arbiter('firstProposal')).toBeUndefined();
  });

  it('lists what may be named, built-in ones first', () => {
    const functions = new ArbiterFunctions().registerArbiter('mine', undecided);
    expect(functions.arbiterNames).toEqual(['firstProposal', 'alignmentMargin', 'aheadByK', 'mine']);
  });

  it('refuses a name that is taken, also by a built-in arbiter', () => {
    const functions = new ArbiterFunctions().registerArbiter('mine', undecided);
    expect(() => functions.registerArbiter('mine', undecided)).toThrow(DuplicateFunction);
    expect(() => functions.registerArbiter('aheadByK', undecided)).toThrow('arbiter "aheadByK"');
  });

  it('takes back what was registered, and never what is built in', () => {
    const functions = new ArbiterFunctions().registerArbiter('mine', undecided);
    functions.unregister('mine');
    functions.unregister('firstProposal');
    expect(functions.arbiterNames).toEqual(['firstProposal', 'alignmentMargin', 'aheadByK']);
    expect(functions.registerArbiter('mine', undecided).arbiter('mine')).toBe(undecided);
  });
});
