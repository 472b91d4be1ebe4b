import { describe, expect, it } from '@jest/globals';
import type { MachineDefinition } from '#lib/decisions/machines';
import { EXTERNAL, FIRST, MARGIN } from '../testing/arbitration-examples.js';
import { machine } from '../testing/session-examples.js';
import { effectiveThreshold } from './effective-threshold.js';

function limited(state?: number, whole?: number): MachineDefinition {
  const triage = { ...machine.states['triage'], ...(state !== undefined && { consensusThreshold: state }) };
  const limit = whole !== undefined && { consensusThreshold: whole };
  return { ...machine, states: { ...machine.states, triage }, ...limit };
}
const own = { ...EXTERNAL, threshold: 0.3 };

describe('effectiveThreshold', () => {
  it.each([
    ['the state’s, before all others', limited(0.1, 0.2), own, 0.1],
    ['the machine’s, where the state has none', limited(undefined, 0.2), own, 0.2],
    ['the arbiter’s, where neither has one', limited(), own, 0.3],
    ['that of a built-in strategy, where none is set', limited(), MARGIN, 1],
    ['none, where the strategy needs none', limited(), FIRST, undefined],
    ['none, where the strategy is not known here', limited(), EXTERNAL, undefined],
  ])('D-35: is %s', (_, of, arbiter, threshold) => {
    expect(effectiveThreshold(of, 'triage', arbiter)).toBe(threshold);
  });

  it('D-35: 0 is a threshold like any other', () => {
    expect(effectiveThreshold(limited(0, 0.2), 'triage', own)).toBe(0);
    expect(effectiveThreshold(limited(undefined, 0), 'triage', own)).toBe(0);
    expect(effectiveThreshold(limited(), 'triage', { ...MARGIN, threshold: 0 })).toBe(0);
  });

  it('D-35: a threshold of one state is none of another', () => {
    expect(effectiveThreshold(limited(0.1), 'escalated', own)).toBe(0.3);
    expect(effectiveThreshold(limited(0.1), 'constructor', own)).toBe(0.3);
  });
});
