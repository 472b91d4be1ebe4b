import { describe, expect, it } from '@jest/globals';
import { machine } from '../testing/session-examples.js';
import { alignmentScope } from './human-override.js';

const withSpecialists = {
  ...machine,
  states: { ...machine.states, triage: { ...machine.states['triage'], specialists: [] } },
};
const at = (currentState: string) => ({
  machineName: 'support',
  machine: withSpecialists,
  machineVersion: 1,
  currentState,
});

describe('alignmentScope', () => {
  it('D-34: is the machine when the state declares no specialists', () => {
    expect(alignmentScope(at('escalated'))).toStrictEqual({ machineName: 'support' });
    expect(alignmentScope(at('constructor'))).toStrictEqual({ machineName: 'support' });
  });

  it('D-34: is the state where it declares its own role, even an empty one', () => {
    expect(alignmentScope(at('triage'))).toStrictEqual({ machineName: 'support', state: 'triage' });
  });

  it('X-T3: is none when the machine came with its session: nothing is learned from it', () => {
    const { machineVersion: _, ...own } = at('escalated');
    expect(alignmentScope(own)).toBeUndefined();
  });
});
